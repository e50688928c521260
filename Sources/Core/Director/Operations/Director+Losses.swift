import Configuration
package import Control
import Scenes

extension Director {
  /// Records a loss, which is a reason in the health from now on.
  ///
  /// - Parameter loss: The loss. A lasting loss that is known already is not recorded again, and stays acknowledged.
  package func record(_ loss: Loss) async {
    // The losses of the last run must be loaded first.
    await restored()
    step { $0.changeLosses { losses, now in losses.record(loss, at: now) } }
  }

  /// Removes a loss that was repaired.
  ///
  /// - Parameters:
  ///   - cause: The kind of loss.
  ///   - object: The object that was lost; empty if the cause identifies the loss.
  package func resolve(_ cause: Loss.Cause, of object: String = "") async {
    await restored()
    step { $0.changeLosses { losses, _ in losses.resolve(cause, of: object) } }
  }

  package func acknowledgeLoss(_ id: Int) async throws(ControlError) {
    guard step({ $0.changeLosses { losses, _ in losses.acknowledge(id) } }) != nil else { throw .unknownLoss(id) }
    await persistence.settled()
  }

  package func acknowledgeLosses() async -> [LossReport] {
    let acknowledged = step { $0.changeLosses { losses, _ in losses.open.compactMap { losses.acknowledge($0.id) } } }
    await persistence.settled()
    return acknowledged.map(LossReport.init)
  }

  /// Compares the fonts that the settings and open scenes name with the usable ones.
  ///
  /// The usable fonts change only at a start and at a reload, which search for installed fonts. A scene that names
  /// another font in between has a warning.
  func checkFonts() async {
    let fonts = core.namedFonts
    guard let missing = fonts.isEmpty ? [:] : await painters[0].missingFonts(among: fonts) else { return }
    step { $0.noteMissingFonts(missing) }
  }
}

extension LossReport {
  /// Creates the report of a loss for clients.
  init(_ loss: Loss) {
    self.init(id: loss.id, text: loss.text, since: Timestamp(milliseconds: loss.since))
  }
}
