/// Something that was lost. It is a reason in the health until someone acknowledges it, or until it is repaired.
package struct Loss: Hashable, Sendable {
  /// What kind of loss it is.
  package enum Cause: String, Hashable, Sendable {
    /// The database was damaged, and a new one was begun with the documents that could be read.
    case damagedDatabase
    /// Changes were dropped because the disk took no writes for too long.
    case droppedChanges
    /// A record could not be read at the start, so that its session, message or monitor profile was left out.
    case unreadableRecord
    /// A reload was refused.
    case refusedReload
    /// Nothing announces the machine's sleep: the system bus or logind is missing.
    case missingBus
    /// A font that the settings or a scene name cannot be used.
    case missingFont

    /// Whether the loss lasts until it is repaired. Any other loss happens at one moment.
    var isLasting: Bool {
      switch self {
      case .damagedDatabase, .droppedChanges, .refusedReload: false
      case .unreadableRecord, .missingBus, .missingFont: true
      }
    }
  }

  /// The kind of loss.
  package let cause: Cause
  /// What was lost, such as the font's name; empty if the cause says it all. A cause has one loss for each object.
  package let object: String
  /// A sentence with the object, the reason and the next step.
  package internal(set) var text: String
  /// The loss's number, which counts up from 1; 0 before it is recorded.
  package internal(set) var id = 0
  /// When it was recorded, in milliseconds since 1970.
  package internal(set) var since: Int64 = 0
  /// Whether someone acknowledged it. Only a lasting loss is kept after that.
  var isAcknowledged = false

  /// Creates a loss that is not recorded yet.
  ///
  /// - Parameters:
  ///   - cause: The kind of loss.
  ///   - object: What was lost; empty if the cause says it all.
  ///   - text: A sentence with the object, the reason and the next step.
  package init(_ cause: Cause, of object: String = "", _ text: String) {
    (self.cause, self.object, self.text) = (cause, object, text)
  }

  /// Returns whether two losses are the same one, reported at two times or with another text.
  func isSame(as other: Loss) -> Bool { cause == other.cause && object == other.object }
}
