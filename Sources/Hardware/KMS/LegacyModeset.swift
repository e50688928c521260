import CDRM
import Displays

/// Modesets through SetCrtc and PageFlip, for drivers without atomic KMS.
struct LegacyModeset {
  let file: CardFile

  /// Enables an output with its mode and first buffer, then queues a flip to the same buffer.
  ///
  /// The flip sends the event that SetCrtc does not, with the number of the plan.
  func light(_ output: EnabledOutput, number: UInt32) throws(CardError) {
    guard var info = drmModeModeInfo(output.mode) else {
      throw CardError(
        reason: .refused, operation: "modeset", object: output.name, message: "\(output.mode) has no timing")
    }
    hideOverlays(of: output.crtc)
    resetGamma(of: output.crtc)
    var connector = output.connector
    let code = retryingInterrupts {
      unsafe drmModeSetCrtc(file.descriptor, output.crtc, output.buffer.number, 0, 0, &connector, 1, &info)
    }
    guard code == 0 else {
      throw CardError(
        kernel: code, modeset: "MODE_SETCRTC", on: "\(output.name) \(output.mode) on \(file.path)"
      ) { file.answers }
    }
    try flip(FlipRequest(crtc: output.crtc, name: output.name, buffer: output.buffer), modeset: number)
  }

  /// Disables a CRTC.
  func darken(_ crtc: UInt32) throws(CardError) {
    let code = retryingInterrupts {
      drmModeSetCrtc(file.descriptor, crtc, 0, 0, 0, nil, 0, nil)
    }
    guard code == 0 else { throw CardError(kernel: code, "MODE_SETCRTC (off)", on: "CRTC \(crtc) on \(file.path)") }
  }

  /// Puts an output to sleep with its connector's DPMS property.
  ///
  /// SetCrtc wakes the output without a DPMS call: drm_crtc_helper_set_config sets the full mode and changes DPMS to
  /// On, and drm_atomic_helper_set_config makes the CRTC active.
  func sleep(_ output: SleepingOutput, dpms property: UInt32) throws(CardError) {
    let code = retryingInterrupts {
      drmModeConnectorSetProperty(file.descriptor, output.connector, property, UInt64(DRM_MODE_DPMS_OFF))
    }
    guard code == 0 else {
      throw CardError(kernel: code, "MODE_SETPROPERTY (DPMS Off)", on: "\(output.name) on \(file.path)")
    }
  }

  /// Queues a buffer for the next vertical blank and returns without waiting for it.
  ///
  /// It can wait for kernel locks, which a modeset of another CRTC may hold.
  func flip(_ flip: FlipRequest, modeset: UInt32 = 0) throws(CardError) {
    let cookie = FlipCookie(crtc: flip.crtc, modeset: modeset)
    let code = retryingInterrupts {
      unsafe drmModePageFlip(
        file.descriptor, flip.crtc, flip.buffer.number, UInt32(DRM_MODE_PAGE_FLIP_EVENT), cookie.pointer)
    }
    guard code == 0 else { throw CardError(kernel: code, "MODE_PAGE_FLIP", on: "\(flip.name) on \(file.path)") }
  }

  /// Resets the gamma ramp to a linear one.
  ///
  /// Otherwise the kernel reloads the ramp of a former master (night light) with each mode.
  private func resetGamma(of crtc: UInt32) {
    guard let object = unsafe drmModeGetCrtc(file.descriptor, crtc) else { return }
    let size = unsafe Int(object.pointee.gamma_size)
    unsafe drmModeFreeCrtc(object)
    guard (2...65536).contains(size) else { return }
    var ramp = (0..<size).map { UInt16($0 * 0xFFFF / (size - 1)) }
    _ = unsafe ramp.withUnsafeMutableBufferPointer { ramp in
      unsafe drmModeCrtcSetGamma(
        file.descriptor, crtc, UInt32(size), ramp.baseAddress, ramp.baseAddress, ramp.baseAddress)
    }
  }

  /// Disables the cursor and the overlays that a former master left on the CRTC.
  ///
  /// Errors are ignored.
  private func hideOverlays(of crtc: UInt32) {
    _ = drmModeSetCursor(file.descriptor, crtc, 0, 0, 0)
    guard let planes = PlaneResources(file) else { return }
    for id in planes.planes {
      guard let plane = PlaneObject(file, id), plane.crtc == crtc else { continue }
      _ = drmModeSetPlane(file.descriptor, id, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    }
  }
}
