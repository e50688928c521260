public import JSON

/// The requests for the library, live values, schedules, pictures and backups, which are a part of `ControlService`.
public protocol LibraryService: Sendable {
  /// Returns part of the list of live values.
  ///
  /// - Parameters:
  ///   - place: The place after which the part begins; nil for the beginning of the list.
  ///   - most: The maximum number of values.
  /// - Returns: The values in natural order of their names, and whether more follow.
  func values(after place: ListPlace?, most: Int) async -> ListPart<ValueReport>
  /// Returns a live value.
  ///
  /// - Parameter name: The value's name.
  /// - Throws: `ControlError` of kind `notFound` if it does not exist.
  /// - Returns: The value.
  func value(_ name: String) async throws(ControlError) -> ValueReport
  /// Sets a live value. Displays whose content refers to it are redrawn.
  ///
  /// - Parameters:
  ///   - name: The value's name.
  ///   - request: The value, its unit and its maximum age.
  /// - Throws: `ControlError` if the request is invalid; the value is unchanged then.
  /// - Returns: The value after the change.
  func setValue(_ name: String, _ request: ValueRequest) async throws(ControlError) -> ValueReport
  /// Removes a live value. Displays whose content refers to it are redrawn.
  ///
  /// - Parameter name: The value's name.
  /// - Throws: `ControlError` of kind `notFound` if it does not exist.
  func removeValue(_ name: String) async throws(ControlError)
  /// Returns part of the list of library entries, without their scenes.
  ///
  /// - Parameters:
  ///   - place: The place after which the part begins; nil for the beginning of the list.
  ///   - most: The maximum number of entries.
  /// - Returns: The entries in natural order of their names, and whether more follow.
  func library(after place: ListPlace?, most: Int) async -> ListPart<LibraryReport>
  /// Returns a library entry with its scene.
  ///
  /// - Parameter name: The entry's name.
  /// - Throws: `ControlError` of kind `notFound` if it does not exist.
  /// - Returns: The entry.
  func entry(_ name: String) async throws(ControlError) -> LibraryReport
  /// Adds a library entry, or replaces the one with its name. Displays that show it are redrawn.
  ///
  /// - Parameters:
  ///   - name: The entry's name.
  ///   - request: The scene, the title and the tags.
  ///   - revision: The revision on which the change is based; nil for any.
  /// - Throws: `ControlError` if the request is invalid, or of kind `changed` if the current revision is another one.
  /// - Returns: The entry after the change.
  func setEntry(
    _ name: String, _ request: LibraryRequest, expecting revision: String?
  ) async throws(ControlError) -> LibraryReport
  /// Replaces the events of a library entry that is a calendar, or adds the entry. Displays that show it are redrawn.
  ///
  /// - Parameters:
  ///   - name: The entry's name.
  ///   - file: An iCalendar file.
  /// - Throws: `ControlError` if the file has a mistake, or of kind `conflict` if the entry is not a calendar. Nothing is
  ///   changed then.
  /// - Returns: The entry after the change.
  func setEvents(_ name: String, _ file: [UInt8]) async throws(ControlError) -> LibraryReport
  /// Removes a library entry.
  ///
  /// - Parameter name: The entry's name.
  /// - Throws: `ControlError` if it does not exist, or of kind `conflict` while something refers to it.
  func removeEntry(_ name: String) async throws(ControlError)
  /// Renames a library entry, and all references to it.
  ///
  /// - Parameters:
  ///   - name: The entry's name.
  ///   - request: The new name.
  /// - Throws: `ControlError` if it does not exist, or of kind `conflict` if the new name is taken or if the
  ///   configuration file refers to the entry.
  /// - Returns: The entry with its new name.
  func renameEntry(_ name: String, _ request: RenameRequest) async throws(ControlError) -> LibraryReport
  /// Returns what a display has by its schedules at a time, and until when.
  ///
  /// - Parameters:
  ///   - display: The connector's name.
  ///   - query: The time, and the number of days from it.
  /// - Throws: `ControlError` if the display is unknown or not connected.
  /// - Returns: The slots, the first of which contains the time.
  func schedule(_ display: String, _ query: ScheduleQuery) async throws(ControlError) -> [ScheduleSlot]
  /// Returns a backup of the library, the board, stored values, monitors, sessions and messages.
  ///
  /// - Throws: `ControlError` if the folder of images cannot be read.
  /// - Returns: The backup, without the files of images.
  func backup() async throws(ControlError) -> Backup
  /// Replaces the library, the board, stored values, monitors, sessions and messages by those of a backup.
  ///
  /// - Parameters:
  ///   - document: The backup.
  ///   - isTrial: Whether to check the backup only.
  /// - Throws: `ControlError` with the reason if the backup has a newer format or is damaged. Nothing is changed then.
  /// - Returns: The content of the backup, and the images that this machine does not have.
  func restore(_ document: JSONValue, isTrial: Bool) async throws(ControlError) -> RestoreReport
  /// Draws a scene as a picture, without showing it on a display.
  ///
  /// - Parameter request: The scene, and the size of the picture.
  /// - Throws: `ControlError` if the scene or the size is invalid, or if the display is unknown or not connected.
  /// - Returns: The bytes of a PNG file.
  func render(_ request: RenderRequest) async throws(ControlError) -> [UInt8]
}
