/// The virtual monitors that are plugged in, and those that can be plugged in.
public struct VirtualReport: Codable, Hashable, Sendable {
  /// A monitor that can be plugged in.
  public struct Choice: Codable, Hashable, Sendable {
    /// The label for people, such as `4K, 3840x2160`.
    public var label: String
    /// The request that plugs the monitor in.
    public var request: PlugRequest

    /// Creates a choice.
    public init(label: String, request: PlugRequest) {
      self.label = label
      self.request = request
    }
  }

  /// Whether the daemon supports virtual monitors.
  public var available: Bool
  /// The names of the virtual displays that have a monitor.
  public var plugged: [String]
  /// The monitors that can be plugged in.
  public var choices: [Choice]

  /// Creates a report.
  public init(available: Bool, plugged: [String] = [], choices: [Choice] = []) {
    self.available = available
    self.plugged = plugged
    self.choices = choices
  }
}

extension VirtualReport: InterfaceObject {
  package static let interface = Interface.report(
    "VirtualReport", "The virtual monitors that are plugged in, and those that can be plugged in.",
    [
      field("available", \.available, "Whether the service supports virtual monitors."),
      field("plugged", \.plugged, "The virtual displays that have a monitor.", .example("Virtual-1")),
      field("choices", \.choices, "The monitors that can be plugged in."),
    ])
}

extension VirtualReport.Choice: InterfaceObject {
  package static let interface = Interface.part(
    "A monitor that can be plugged in.",
    [
      field("label", \.label, "The label for people.", .example("4K, 3840x2160")),
      field("request", \.request, "The request that plugs the monitor in."),
    ])
}
