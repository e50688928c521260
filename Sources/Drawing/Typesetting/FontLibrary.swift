import CFreeType

/// A FreeType library object. Its faces retain it because they must be freed first (`FT_Done_FreeType`).
@safe
final class FontLibrary {
  let handle: FT_Library

  init() throws(TypesettingError) {
    var library: FT_Library?
    let code = unsafe FT_Init_FreeType(&library)
    guard code == 0, let library = unsafe library else { throw .library(name: "FreeType", code: Int(code)) }
    unsafe handle = library
  }

  deinit { unsafe FT_Done_FreeType(handle) }
}
