package import Control

/// Where uploaded pictures are kept: the seam to their files.
///
/// What is not there is refused with `notFound`, what cannot be used with `invalid`, and what does not fit any more with
/// `conflict`; where the disk does not do it, the error is `failed`.
package protocol PictureFolder: Sendable {
  /// All pictures, newest first.
  func all() async throws(ControlError) -> [ImageReport]
  /// The file of a picture.
  func bytes(of name: String) async throws(ControlError) -> [UInt8]
  /// Keeps a picture and the name of its file on the disk; one that is there already is not kept twice.
  func add(_ bytes: [UInt8], file: String?) async throws(ControlError) -> ImageReport
  /// Removes a picture.
  func remove(_ name: String) async throws(ControlError)
}
