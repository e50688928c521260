import CDRM

/// The properties of one mode object: ids for writing, values as they were read.
struct ObjectProperties: Sendable {
  private(set) var ids: [String: UInt32] = [:]
  private(set) var values: [String: UInt64] = [:]

  /// Reads them; none where the object is gone or the driver has no properties.
  init(_ file: CardFile, _ object: UInt32, _ type: UInt32, names: inout PropertyNames) {
    guard let properties = unsafe drmModeObjectGetProperties(file.descriptor, object, type) else { return }
    defer { unsafe drmModeFreeObjectProperties(properties) }
    for index in 0..<Int(unsafe properties.pointee.count_props) {
      let id = unsafe properties.pointee.props[index]
      guard let name = names.name(of: id, file) else { continue }
      ids[name] = id
      values[name] = unsafe properties.pointee.prop_values[index]
    }
  }

  /// The bytes of a blob property; empty where there is none.
  func blob(_ name: String, _ file: CardFile) -> [UInt8] {
    guard let id = values[name], id != 0, let blob = unsafe drmModeGetPropertyBlob(file.descriptor, UInt32(id)) else {
      return []
    }
    defer { unsafe drmModeFreePropertyBlob(blob) }
    guard let data = unsafe blob.pointee.data else { return [] }
    return unsafe Array(UnsafeRawBufferPointer(start: data, count: Int(blob.pointee.length)))
  }
}

/// Names of property ids. They stay what they are for a card's life, so that each is asked for once.
struct PropertyNames {
  private var names: [UInt32: String] = [:]

  mutating func name(of id: UInt32, _ file: CardFile) -> String? {
    if let known = names[id] { return known }
    guard let property = unsafe drmModeGetProperty(file.descriptor, id) else { return nil }
    defer { unsafe drmModeFreeProperty(property) }
    var characters = unsafe property.pointee.name
    let name = unsafe withUnsafeBytes(of: &characters) {
      unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    names[id] = name
    return name
  }
}

/// A plane as a modeset needs it.
struct PlaneState: Sendable {
  var id: UInt32
  var possibleCRTCs: UInt32
  var crtc: UInt32
  var formats: [UInt32]
  var properties: ObjectProperties

  /// `DRM_PLANE_TYPE_PRIMARY`, by the `type` property's value.
  var isPrimary: Bool { properties.values["type"] == UInt64(DRM_PLANE_TYPE_PRIMARY) }
}
