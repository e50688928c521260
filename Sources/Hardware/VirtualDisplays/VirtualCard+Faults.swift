package import Displays
package import Geometry
import Synchronization

/// Faults, and what tests read and control.
extension VirtualCard {
  /// Injects a fault.
  ///
  /// - Parameters:
  ///   - fault: The fault.
  ///   - spared: The number of calls that succeed first.
  ///   - count: The number of calls that fail after that.
  package func inject(_ fault: VirtualFault, after spared: Int = 0, count: Int = .max) {
    state.withLock { $0.faults[fault] = (spared, count) }
  }

  /// The number of injected faults that have occurred.
  package var injectedFaultCount: Int { state.withLock { $0.injectedFaultCount } }

  /// The number of probes.
  package var probes: Int { state.withLock { $0.probes } }

  /// The number of probes of each connector, by name.
  package var connectorProbes: [String: Int] { state.withLock { $0.connectorProbes } }

  /// Runs an action at the start of every call of a kind, which waits for the action.
  ///
  /// - Parameters:
  ///   - call: The kind of call. Flips do not run such actions; see `duringFlips`.
  ///   - action: The action; nil to remove it.
  package func during(_ call: VirtualCall, _ action: (@Sendable () async -> Void)?) {
    state.withLock { $0.actions[call] = action }
  }

  /// Runs an action at the start and the end of every flip call.
  ///
  /// The calling thread waits for the action, as it would for kernel locks. At the end, the flip event may already have
  /// been sent.
  ///
  /// - Parameter action: The action; nil to remove it.
  package func duringFlips(_ action: (@Sendable (_ moment: FlipMoment, _ display: String) -> Void)?) {
    state.withLock { $0.flipAction = action }
  }

  /// Runs an action at the end of every commit that enables outputs.
  ///
  /// The flip events have already been sent, and the call returns after the action.
  ///
  /// - Parameter action: The action; nil to remove it.
  package func afterModesets(_ action: (@Sendable () async -> Void)?) {
    state.withLock { $0.modesetAction = action }
  }

  /// Overrides the state that a connector reports.
  ///
  /// - Parameters:
  ///   - name: The connector's name.
  ///   - isReported: True to send a `changed` event.
  ///   - shape: A function that changes the connector's snapshot; nil to remove the override.
  package func reshape(
    _ name: String, isReported: Bool = true, _ shape: (@Sendable (inout ConnectorSnapshot) -> Void)?
  ) {
    state.withLock { $0.connectors[name]?.shape = shape }
    if isReported { continuation.yield(.changed(connector: nil)) }
  }

  /// Removes a connector, as with an MST hub, and sends a `changed` event.
  ///
  /// If it is added again, it has a new ID.
  ///
  /// - Parameter name: The connector's name.
  package func remove(_ name: String) {
    state.withLock { state in _ = state.connectors.removeValue(forKey: name) }
    continuation.yield(.changed(connector: nil))
  }

  /// Simulates that another program becomes DRM master or stops being master.
  ///
  /// While another program is master, all calls fail with `.notMaster`.
  ///
  /// - Parameters:
  ///   - isMaster: False if another program is master.
  ///   - isReported: True to send a `masterChanged` event.
  package func setMaster(_ isMaster: Bool, isReported: Bool = true) {
    state.withLock { $0.isMaster = isMaster }
    if isReported { continuation.yield(.masterChanged) }
  }

  /// Simulates vertical blanks from now on, as most drivers have them: flips wait for `vblank()` and have sequence
  /// numbers.
  package func beginVBlanks() {
    holdFlips()
    state.withLock { $0.hasVBlank = true }
  }

  /// Simulates a vertical blank, which completes the pending flips.
  ///
  /// Later ones wait for the next vertical blank.
  package func vblank() { for flip in popHeldFlips(leaving: []) { report(flip) } }

  /// Holds flip events until `releaseFlips`.
  package func holdFlips() { state.withLock { $0.heldFlips = $0.heldFlips ?? [] } }

  /// Sends the held flip events.
  ///
  /// Later ones are sent at once again.
  package func releaseFlips() { for flip in popHeldFlips(leaving: nil) { reportIfDue(flip) } }

  private func popHeldFlips(leaving held: [PendingFlip]?) -> [PendingFlip] {
    state.withLock { state in
      defer { state.heldFlips = held }
      return state.heldFlips ?? []
    }
  }

  /// Simulates the removal of the device, such as an unplugged USB display.
  package func lose() {
    state.withLock { $0.isLost = true }
    continuation.yield(.lost)
    continuation.finish()
  }

  /// Sends a `changed` event although nothing changed.
  ///
  /// - Parameter name: The name of the connector that the event names; nil for an event without one.
  package func hint(_ name: String? = nil) {
    let connector = state.withLock { state in name.flatMap { state.connectors[$0]?.id } }
    continuation.yield(.changed(connector: connector))
  }

  /// Erases the memory of all buffers, as QEMU's VGA does when a mode is enabled.
  package func wipe() {
    state.withLock { state in
      for memory in state.memories.values {
        let start = unsafe UnsafeMutableRawPointer(bitPattern: memory.address)
        unsafe start?.initializeMemory(as: UInt8.self, repeating: 0, count: memory.stride * memory.size.height)
      }
    }
  }

  /// The calls in order, such as `light Virtual-1 1920x1080@60`, `dark 2`, `sleep Virtual-1` and `flip Virtual-1`.
  ///
  /// Empty if no journal is kept.
  package var journal: [String] { state.withLock { $0.journal ?? [] } }

  /// The number of accepted flip calls.
  package var flips: Int { state.withLock { $0.flips } }

  /// The number of commits that enabled outputs.
  package var litPlans: Int { state.withLock { $0.litPlans } }

  /// Returns the CRTC that drives a connector.
  ///
  /// - Parameter name: The connector's name.
  /// - Returns: The object ID of the CRTC; nil if none drives it.
  package func crtc(of name: String) -> UInt32? {
    state.withLock { state in state.lit.first { $0.value.name == name }?.key }
  }

  /// The number of enabled CRTCs, including those that are asleep.
  package var enabledCRTCs: Int { state.withLock { $0.lit.count } }

  /// The number of allocated buffers.
  package var liveBuffers: Int { state.withLock { $0.memories.count } }

  /// Returns the pixels that a connector scans out.
  ///
  /// - Parameter name: The connector's name.
  /// - Returns: The size and the pixels (XRGB8888 without padding); nil if the connector is disabled or asleep.
  package func scanout(_ name: String) -> (size: Size, pixels: [UInt32])? {
    state.withLock { state in
      guard let output = state.lit.values.first(where: { $0.name == name }), !state.asleep.contains(output.crtc),
        let memory = state.memories[output.buffer.number],
        let start = unsafe UnsafeRawPointer(bitPattern: memory.address)
      else { return nil }
      let pixels = unsafe UnsafeRawBufferPointer(start: start, count: memory.stride * memory.size.height)
      return unsafe (memory.size, Array(pixels.bindMemory(to: UInt32.self)))
    }
  }
}
