/// A reason why text could not be set. Its description names the object, the cause, and the next step.
package enum TypesettingError: Error, Hashable, Sendable {
  /// FreeType, HarfBuzz, or fontconfig did not start.
  case library(name: String, code: Int)
  /// Fontconfig found no usable font for this request.
  case noFont(asked: String)
  /// The file is not a scalable TrueType or OpenType font.
  case unreadableFont(file: String, reason: String)
}

extension TypesettingError: CustomStringConvertible {
  /// One sentence for the user.
  package var description: String {
    switch self {
    case .library(let name, let code):
      "\(name) did not start (error \(code)); check the free memory, or reinstall the library"
    case .noFont(let asked):
      "fontconfig found no scalable font for \(asked); install one (Debian: fonts-dejavu-core), or choose a font file"
    case .unreadableFont(let file, let reason):
      "font \(file) cannot be used: \(reason); choose another font, or reinstall its package"
    }
  }
}
