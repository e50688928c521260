public import Geometry

/// What somebody chose for a monitor by remote control: it goes before what the settings say.
public struct MonitorChoice: Hashable, Sendable {
  /// How its mode is chosen, in the settings' words: a policy's name or a mode, `1920x1080@60`; nil leaves it to them.
  public var mode: String?
  /// How pictures are turned on it; nil leaves it to the settings.
  public var rotation: Rotation?

  /// A choice from its parts; without any the settings decide.
  public init(mode: String? = nil, rotation: Rotation? = nil) {
    self.mode = mode
    self.rotation = rotation
  }

  /// Whether nothing was chosen.
  public var isEmpty: Bool { mode == nil && rotation == nil }
}
