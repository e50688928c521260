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
    changeLosses { losses, now in losses.record(loss, at: now) }
  }

  /// Removes a loss that was repaired.
  ///
  /// - Parameters:
  ///   - cause: The kind of loss.
  ///   - object: The object that was lost; empty if the cause identifies the loss.
  package func resolve(_ cause: Loss.Cause, of object: String = "") async {
    await restored()
    changeLosses { losses, _ in losses.resolve(cause, of: object) }
  }

  package func acknowledgeLoss(_ id: Int) async throws(ControlError) {
    guard changeLosses({ losses, _ in losses.acknowledge(id) }) != nil else { throw .unknownLoss(id) }
    await persistence.settled()
  }

  package func acknowledgeLosses() async -> [LossReport] {
    let acknowledged = changeLosses { losses, _ in losses.open.compactMap { losses.acknowledge($0.id) } }
    await persistence.settled()
    return acknowledged.map(LossReport.init)
  }

  /// Changes the losses, stores what changed, and notifies listeners.
  @discardableResult
  func changeLosses<Result>(_ body: (inout Losses, Int64) -> Result) -> Result {
    let old = losses
    let now = environment.wallClock()
    let result = body(&losses, now)
    guard losses != old else { return result }
    persistence.write(Losses.changes(from: old, to: losses))
    let known = old.open
    if losses.open != known {
      chronicle.emit(.healthChanged, "", detail: losses.open.last { !known.contains($0) }?.text)
    }
    return result
  }

  /// Compares the fonts that the settings and open scenes name with the usable ones.
  ///
  /// The usable fonts change only at a start and at a reload, which search for installed fonts. A scene that names
  /// another font in between has a warning.
  func checkFonts() async {
    let styles = [settings.style.font] + outputs.map(\.presentation.style.font)
    let scenes = store.sessions.map(\.scene) + store.messages.map(\.scene)
    let fonts = Set((styles + scenes.map(\.style.font)).compactMap(\.self))
    guard let missing = fonts.isEmpty ? [:] : await painters[0].missingFonts(among: fonts) else { return }
    changeLosses { losses, now in
      for loss in losses.all where loss.cause == .missingFont && missing[loss.object] == nil {
        losses.resolve(.missingFont, of: loss.object)
      }
      for (font, reason) in missing.sorted(by: { $0.key < $1.key }) {
        let text = "\(reason); install it, then reload (systemctl reload placard)"
        losses.record(Loss(.missingFont, of: font, text), at: now)
      }
    }
  }
}

extension LossReport {
  /// Creates the report of a loss for clients.
  init(_ loss: Loss) {
    self.init(id: loss.id, text: loss.text, since: Timestamp(milliseconds: loss.since))
  }
}
