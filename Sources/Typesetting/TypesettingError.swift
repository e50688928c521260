/// Why text could not be set; the text says what was tried on which object, and what to do.
public enum TypesettingError: Error, Hashable, Sendable {
  /// FreeType, HarfBuzz or fontconfig did not start.
  case library(name: String, code: Int)
  /// fontconfig found no usable font for this request.
  case noFont(asked: String)
  /// This file is no font that can be scaled and shaped.
  case unreadableFont(file: String, reason: String)
}

extension TypesettingError: CustomStringConvertible {
  /// One sentence for a person.
  public var description: String {
    switch self {
    case .library(let name, let code):
      "\(name) did not start (error \(code)): is there memory left, and is the library whole?"
    case .noFont(let asked):
      "fontconfig found no scalable font for \(asked): install one (Debian: fonts-dejavu-core), or name a font file"
    case .unreadableFont(let file, let reason):
      "font \(file) cannot be used: \(reason); name another font, or reinstall its package"
    }
  }
}
