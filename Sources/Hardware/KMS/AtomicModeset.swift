import CDRM
import Displays
import Geometry

/// The objects and properties that a flip on an enabled CRTC needs.
struct FlipTarget: Sendable {
  /// The primary plane; nil for the legacy interface.
  var plane: UInt32?
  var framebufferProperty: UInt32 = 0
  var damageProperty: UInt32?
}

/// Modesets through atomic KMS.
struct AtomicModeset: Sendable {
  var probe: CardProbe

  /// Enables outputs in one commit that sets connector, CRTC and plane, including ACTIVE and the mode.
  ///
  /// The commit disables the CRTCs that the connectors leave: one that is enabled without a connector is EINVAL
  /// (drm_atomic_helper_check_modeset).
  ///
  /// - Parameters:
  ///   - outputs: The outputs to enable.
  ///   - flags: The flags of the commit, `DRM_MODE_ATOMIC_*` and `DRM_MODE_PAGE_FLIP_EVENT`.
  ///   - number: The number that the flips of the outputs carry.
  /// - Throws: `CardError` if the commit cannot be built or is rejected.
  /// - Returns: The flip targets by CRTC.
  mutating func light(
    _ outputs: [EnabledOutput], flags: UInt32, number: UInt32 = 0
  ) throws(CardError) -> [UInt32: FlipTarget] {
    var request = try AtomicRequest(probe.file)
    let planes = probe.planes()
    var targets: [UInt32: FlipTarget] = [:]
    let connectors = Set(outputs.map(\.connector))
    for (crtc, _) in crtcsLeft(by: outputs) { disable(crtc, keeping: connectors, planes, &request) }
    for output in outputs {
      let plane = try primaryPlane(for: output, among: planes, taken: targets.values.compactMap(\.plane))
      try routeConnector(output, beside: connectors, &request)
      try enable(output, &request)
      show(output, on: plane, &request)
      unlinkForeignPlanes(of: output.crtc, except: plane.id, planes, &request)
      targets[output.crtc] = FlipTarget(
        plane: plane.id, framebufferProperty: plane.properties.ids["FB_ID"] ?? 0,
        damageProperty: plane.properties.ids["FB_DAMAGE_CLIPS"])
    }
    let names = outputs.map { "\($0.name) \($0.mode)" }.joined(separator: ", ")
    try request.commit(flags, cookie: FlipCookie(crtc: outputs.first?.crtc ?? 0, modeset: number), "modeset", on: names)
    return targets
  }

  /// Disables CRTCs: unroutes their connectors, unlinks their planes and removes their mode.
  ///
  /// `flags` must not request an event for a CRTC that stays off. The kernel rejects that with EINVAL ("requesting
  /// event but off"), and TEST_ONLY does not detect it.
  mutating func darken(_ crtcs: [UInt32], flags: UInt32) throws(CardError) {
    var request = try AtomicRequest(probe.file)
    let planes = probe.planes()
    for crtc in crtcs { disable(crtc, keeping: [], planes, &request) }
    let names = crtcs.map { "CRTC \($0)" }.joined(separator: ", ")
    try request.commit(flags, "off", on: names)
  }

  /// Puts outputs to sleep in one commit that only sets ACTIVE to 0, so that mode, connector and planes are kept.
  ///
  /// The kernel implements DPMS (drm_atomic_connector_commit_dpms) and console blanking in the same way, so every
  /// atomic driver supports it. `flags` must not request an event.
  mutating func sleep(_ outputs: [SleepingOutput], flags: UInt32) throws(CardError) {
    var request = try AtomicRequest(probe.file)
    for output in outputs { request.set(output.crtc, probe.crtcProperties(output.crtc), "ACTIVE", 0) }
    try request.commit(flags, "sleep", on: outputs.map(\.name).joined(separator: ", "))
  }

  /// Returns the CRTCs that connectors leave for other ones, and that no output of the plan uses.
  ///
  /// - Parameter outputs: The outputs of the plan.
  /// - Returns: The CRTCs, and whether each is active.
  mutating func crtcsLeft(by outputs: [EnabledOutput]) -> [(crtc: UInt32, isActive: Bool)] {
    var left: [(crtc: UInt32, isActive: Bool)] = []
    for output in outputs {
      let current = probe.currentProperties(ofConnector: output.connector).values["CRTC_ID"] ?? 0
      guard let crtc = UInt32(exactly: current), crtc != 0, !outputs.contains(where: { $0.crtc == crtc }),
        !left.contains(where: { $0.crtc == crtc })
      else { continue }
      left.append((crtc, probe.crtcProperties(crtc).values["ACTIVE"] == 1))
    }
    return left
  }

  private mutating func disable(
    _ crtc: UInt32, keeping connectors: Set<UInt32>, _ planes: [PlaneState], _ request: inout AtomicRequest
  ) {
    unrouteConnectors(of: crtc, except: connectors, &request)
    unlinkForeignPlanes(of: crtc, except: nil, planes, &request)
    let properties = probe.crtcProperties(crtc)
    request.set(crtc, properties, "ACTIVE", 0)
    request.set(crtc, properties, "MODE_ID", 0)
  }

  /// Routes a connector of a plan to its CRTC.
  ///
  /// `connectors` are all connectors of the plan.
  private mutating func routeConnector(
    _ output: EnabledOutput, beside connectors: Set<UInt32>, _ request: inout AtomicRequest
  ) throws(CardError) {
    unrouteConnectors(of: output.crtc, except: connectors, &request)
    let properties = probe.properties(ofConnector: output.connector)
    request.set(output.connector, properties, "CRTC_ID", UInt64(output.crtc))
    // After a failed link training only user space may set GOOD again (drm_connector_set_link_status_property).
    if properties.values["link-status"] == UInt64(DRM_MODE_LINK_STATUS_BAD) {
      request.set(output.connector, properties, "link-status", UInt64(DRM_MODE_LINK_STATUS_GOOD))
    }
    // HDR or a wide gamut left behind by another program would show all colors wrong. 0 is the default of both
    // properties.
    for leftover in ["HDR_OUTPUT_METADATA", "Colorspace"] where properties.values[leftover, default: 0] != 0 {
      request.set(output.connector, properties, leftover, 0)
    }
  }

  private mutating func unrouteConnectors(
    of crtc: UInt32, except kept: Set<UInt32>, _ request: inout AtomicRequest
  ) {
    for connector in Array(probe.connectorProperties.keys) where !kept.contains(connector) {
      // Read the properties again. Since the probe, one of our commits may have routed the connector, or it may be
      // gone, and a commit that names a missing object fails with ENOENT.
      let properties = probe.currentProperties(ofConnector: connector)
      if properties.values["CRTC_ID"] == UInt64(crtc) { request.set(connector, properties, "CRTC_ID", 0) }
    }
  }

  private mutating func enable(_ output: EnabledOutput, _ request: inout AtomicRequest) throws(CardError) {
    guard let info = drmModeModeInfo(output.mode) else {
      throw CardError(
        reason: .refused, operation: "modeset", object: output.name, message: "\(output.mode) has no timing")
    }
    let properties = probe.crtcProperties(output.crtc)
    request.set(output.crtc, properties, "MODE_ID", try request.blob(of: [info], "mode"))
    request.set(output.crtc, properties, "ACTIVE", 1)
    // Reset color settings of a former master (night light, gamma ramps) and its variable refresh rate.
    let leftovers = ["GAMMA_LUT", "DEGAMMA_LUT", "CTM", "VRR_ENABLED"]
    for leftover in leftovers where properties.values[leftover, default: 0] != 0 {
      request.set(output.crtc, properties, leftover, 0)
    }
  }

  private func show(_ output: EnabledOutput, on plane: PlaneState, _ request: inout AtomicRequest) {
    let width = UInt64(output.mode.size.width)
    let height = UInt64(output.mode.size.height)
    let values: [(String, UInt64)] = [
      ("FB_ID", UInt64(output.buffer.number)), ("CRTC_ID", UInt64(output.crtc)),
      ("SRC_X", 0), ("SRC_Y", 0), ("SRC_W", width << 16), ("SRC_H", height << 16),
      ("CRTC_X", 0), ("CRTC_Y", 0), ("CRTC_W", width), ("CRTC_H", height),
      ("rotation", UInt64(DRM_MODE_ROTATE_0)), ("alpha", 0xFFFF),
    ]
    for (name, value) in values { request.set(plane.id, plane.properties, name, value) }
  }

  private func unlinkForeignPlanes(
    of crtc: UInt32, except own: UInt32?, _ planes: [PlaneState], _ request: inout AtomicRequest
  ) {
    for plane in planes where plane.crtc == crtc && plane.id != own {
      request.set(plane.id, plane.properties, "FB_ID", 0)
      request.set(plane.id, plane.properties, "CRTC_ID", 0)
    }
  }

  /// Returns a primary plane for the CRTC: preferably the one that it already uses, otherwise a free one.
  private func primaryPlane(
    for output: EnabledOutput, among planes: [PlaneState], taken: [UInt32]
  ) throws(CardError) -> PlaneState {
    let place = probe.crtcs.firstIndex(of: output.crtc) ?? 0
    let usable = planes.filter {
      $0.isPrimary && $0.possibleCRTCs >> UInt32(place) & 1 == 1 && !taken.contains($0.id)
        && ($0.crtc == output.crtc || $0.crtc == 0)
    }
    guard let plane = usable.first(where: { $0.crtc == output.crtc }) ?? usable.first else {
      throw CardError(
        reason: .refused, operation: "modeset", object: "\(output.name) on \(probe.file.path)",
        message: "no primary plane is free for CRTC \(output.crtc)")
    }
    return plane
  }
}

extension CardFile {
  /// Queues a buffer with its damage for the next vertical blank and returns without waiting for it.
  ///
  /// It can wait for kernel locks, which a modeset of another CRTC may hold (amdgpu: do_aquire_global_lock).
  func flipAtomic(_ flip: FlipRequest, _ target: FlipTarget, plane: UInt32) throws(CardError) {
    var request = try AtomicRequest(self)
    request.set(plane, property: target.framebufferProperty, UInt64(flip.buffer.number))
    if let property = target.damageProperty, !flip.damage.isEmpty {
      let clips = flip.damage.map {
        drm_mode_rect(x1: Int32($0.x), y1: Int32($0.y), x2: Int32($0.right), y2: Int32($0.bottom))
      }
      request.set(plane, property: property, try request.blob(of: clips, "damage"))
    }
    try request.commit(
      UInt32(DRM_MODE_ATOMIC_NONBLOCK) | UInt32(DRM_MODE_PAGE_FLIP_EVENT), cookie: FlipCookie(crtc: flip.crtc), "flip",
      on: flip.name)
  }
}
