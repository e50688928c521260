import CLibical

/// The functions of libical.
@safe
struct Libical {
  let functions: placard_libical

  /// The library, which is loaded on first use; nil if it is not installed.
  ///
  /// The pointers to its functions never change, and the functions that are called here have no shared state.
  static let shared: Libical? = Libical()

  private init?() {
    var functions = placard_libical()
    guard unsafe placard_libical_load(&functions) != 0 else { return nil }
    self.functions = functions
  }

  /// Returns the library, or throws if it is not installed.
  static func load() throws(CalendarError) -> Libical {
    guard let shared else { throw .noLibrary }
    return shared
  }

  /// Returns the text in a buffer of the library, and frees the buffer.
  @unsafe func text(_ buffer: UnsafeMutablePointer<CChar>?) -> String? {
    guard let buffer = unsafe buffer else { return nil }
    defer { unsafe functions.free_buffer(buffer) }
    return unsafe String(cString: buffer)
  }
}
