/// A loss, which is a reason in the health until a user acknowledges it, or until it is repaired.
package struct Loss: Hashable, Sendable {
  /// The kinds of loss.
  package enum Cause: String, Hashable, Sendable {
    /// The database was damaged, and a new one was begun with the documents that could be read.
    case damagedDatabase
    /// Changes were dropped because the disk accepted no writes for too long.
    case droppedChanges
    /// A record could not be read at the start, so its session, message or monitor profile was left out.
    case unreadableRecord
    /// A reload was refused.
    case refusedReload
    /// Host suspend is not announced: the system bus or logind is missing.
    case missingBus
    /// A font that is named in the settings or in a scene cannot be used.
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
  /// The lost object, such as the font's name; empty if the cause is sufficient. A cause has one loss for each object.
  package let object: String
  /// A sentence with the object, the reason and the next step.
  package internal(set) var text: String
  /// The loss's number, which counts up from 1; 0 before it is recorded.
  package internal(set) var id = 0
  /// The time at which it was recorded, in milliseconds since 1970.
  package internal(set) var since: Int64 = 0
  /// Whether a user acknowledged it. Only a lasting loss is kept after that.
  var isAcknowledged = false

  /// Creates a loss that is not recorded yet.
  ///
  /// - Parameters:
  ///   - cause: The kind of loss.
  ///   - object: The lost object; empty if the cause is sufficient.
  ///   - text: A sentence with the object, the reason and the next step.
  package init(_ cause: Cause, of object: String = "", _ text: String) {
    (self.cause, self.object, self.text) = (cause, object, text)
  }

  /// Returns whether two losses are the same one, reported at two times or with another text.
  func isSame(as other: Loss) -> Bool { cause == other.cause && object == other.object }
}
