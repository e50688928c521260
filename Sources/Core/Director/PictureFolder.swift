package import Control

/// The storage of uploaded images: the interface to their files.
///
/// An error is `notFound` for a missing image, `invalid` for an unusable one, and `conflict` if the storage is full. It
/// is `failed` if the disk does not accept the operation.
package protocol PictureFolder: Sendable {
  /// Lists all images.
  ///
  /// - Throws: `ControlError` if the folder cannot be read.
  /// - Returns: The images, newest first.
  func all() async throws(ControlError) -> [ImageReport]
  /// Reads the file of an image.
  ///
  /// - Parameter name: The name of the image.
  /// - Throws: `ControlError` if there is no such image, or if it cannot be read.
  /// - Returns: The content of the file.
  func bytes(of name: String) async throws(ControlError) -> [UInt8]
  /// Stores an image and its file name on the disk. An image that is already stored is not stored again.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file.
  ///   - file: The name of the uploaded file, if any.
  /// - Throws: `ControlError` if the image cannot be used or stored.
  /// - Returns: The stored image.
  func add(_ bytes: [UInt8], file: String?) async throws(ControlError) -> ImageReport
  /// Removes an image.
  ///
  /// - Parameter name: The name of the image.
  /// - Throws: `ControlError` if there is no such image, or if it cannot be removed.
  func remove(_ name: String) async throws(ControlError)
}
