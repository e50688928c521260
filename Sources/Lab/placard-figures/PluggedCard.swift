import Lab
import USBDisplays

/// A card in the guest with one monitor that can be plugged and unplugged.
struct PluggedCard {
  enum Driver: String, CaseIterable {
    case virtio = "virtio-gpu"
    case gud, vkms
  }

  private enum Card {
    case virtio
    case usb(USBCard)
    case vkms(VKMSCard)
  }

  private let card: Card
  private let lab: Lab
  private static let edid = MonitorEDID.hdmi(width: 1280, height: 720, name: "Figures", serial: 7)

  /// Adds the card and connects its monitor.
  init(_ driver: Driver, in lab: Lab) throws(LabError) {
    self.lab = lab
    switch driver {
    case .virtio: card = .virtio
    case .gud: card = .usb(try lab.plugUSBCard([.hdmi]))
    case .vkms: card = .vkms(try lab.addVKMS())
    }
    if driver != .vkms { try plug() }
  }

  func plug() throws(LabError) {
    switch card {
    case .virtio: try lab.plug(0, edid: Self.edid)
    case .usb(let usb): try lab.plug(Self.edid, into: 0, of: usb)
    case .vkms(let vkms): try force("detect", vkms)
    }
  }

  func unplug() throws(LabError) {
    switch card {
    case .virtio: try lab.unplug(0)
    case .usb(let usb): try lab.unplug(0, of: usb)
    case .vkms(let vkms): try force("off", vkms)
    }
  }

  /// Forces the connector status of vkms through sysfs.
  ///
  /// The driver sends no hotplug event for it, so this also triggers a uevent.
  private func force(_ word: String, _ vkms: VKMSCard) throws(LabError) {
    try lab.put(Array(word.utf8), to: "/sys/class/drm/\(vkms.node)-\(vkms.connectorName)/status")
    try lab.put(Array("change".utf8), to: "/sys/class/drm/\(vkms.node)/uevent")
  }
}

extension Uevent {
  /// Whether the event may report a hotplug of a monitor.
  var isOfDisplays: Bool { self["SUBSYSTEM"] == "drm" && action == "change" }
}
