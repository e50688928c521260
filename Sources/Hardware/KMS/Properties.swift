import CDRM

/// The properties of a mode object: IDs for writing, and values as of the last read.
struct ObjectProperties: Sendable {
  private(set) var ids: [String: UInt32] = [:]
  private(set) var values: [String: UInt64] = [:]

  /// Reads the properties.
  ///
  /// There are none if the object is gone or the driver has no properties.
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

  /// Returns the bytes of a blob property, or an empty array if it has no blob.
  func blob(_ name: String, _ file: CardFile) -> [UInt8] {
    guard let id = values[name], id != 0, let blob = unsafe drmModeGetPropertyBlob(file.descriptor, UInt32(id)) else {
      return []
    }
    defer { unsafe drmModeFreePropertyBlob(blob) }
    guard let data = unsafe blob.pointee.data else { return [] }
    return unsafe Array(UnsafeRawBufferPointer(start: data, count: Int(blob.pointee.length)))
  }
}

/// A cache of property names.
///
/// Property IDs do not change during a card's lifetime.
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

/// The state of a plane that a modeset needs.
struct PlaneState: Sendable {
  let id: UInt32
  let possibleCRTCs: UInt32
  /// The properties as of the first read: their IDs do not change, nor does `type`.
  let properties: ObjectProperties
  /// The current CRTC; 0 if it has none.
  var crtc: UInt32

  /// True if the `type` property is `DRM_PLANE_TYPE_PRIMARY`.
  var isPrimary: Bool { properties.values["type"] == UInt64(DRM_PLANE_TYPE_PRIMARY) }
}
