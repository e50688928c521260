import Lab

/// A frame of QEMU's monitor. The module and its class share the name Lab, so `Lab.CapturedFrame` is ambiguous.
typealias GuestFrame = CapturedFrame
typealias FrameMatch = Lab.FrameMatch
