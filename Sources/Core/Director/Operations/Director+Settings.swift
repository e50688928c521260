package import Configuration

/// New settings, and changes of how outputs are presented.
extension Director {
  /// Applies new settings.
  ///
  /// Styles change at once, and modes change if another one is chosen now. Messages stay, unless the settings name
  /// another message than before.
  ///
  /// - Parameter newSettings: The settings to apply.
  package func apply(_ newSettings: Settings) async {
    environment.observer?.asked(newSettings)
    step { $0.setSettings(newSettings) }
    await persistence.settled()
    for painter in painters { _ = await painter.renewFonts() }
    await redrawWithNewOptions(core.outputs.map(\.id))
    // An output without a mode may get one under the new settings.
    for managed in presentCards where core.hasDarkOutput(managed.id) { await reconcile(managed) }
    for managed in presentCards { await idle(managed) }
    await checkFonts()
  }

  /// Sets the address of the web page, and redraws the displays, which may show it.
  ///
  /// - Parameter address: The new address; nil if the page is no longer reachable.
  package func setAddress(_ address: String?) { step { $0.setAddress(address) } }

  /// Redraws outputs with their current presentations, and sets their modes accordingly.
  func redrawWithNewOptions(_ ids: [OutputID]) async {
    for id in ids {
      guard let painter = handles[id]?.painter else { continue }
      for surface in core.surfaces(of: id) {
        await painter.adjust(surface, to: core.surfaceOptions(for: id))
        await painter.forget(surface)
      }
    }
    // All outputs are passed in one call, so that simultaneous changes become one plan.
    step { core in core.refresh(ids + core.observers(of: nil).filter { !ids.contains($0) }) }
  }
}
