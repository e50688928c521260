/// A first-generation DisplayLink adapter for the kernel's driver udl (drivers/gpu/drm/udl).
///
/// It has one connector with an EDID, which the kernel names VGA. The driver sends 16-bit pixels as commands that write
/// to the adapter's memory.
public struct DisplayLinkCard: USBDisplay {
  private var edid: [UInt8] = []
  private var hasMonitor = false
  private let serial: String
  /// The video memory, 2 bytes per pixel, little-endian.
  ///
  /// The visible frame is a part of it.
  private var memory: [UInt8]
  private var registers = [UInt8](repeating: 0, count: 256)
  private var hasMode = false

  /// The number of changes to the contents of the monitor.
  public private(set) var changes = 0
  /// The total number of received command bytes.
  public private(set) var pixelBytes = 0

  /// The maximum frame area in pixels.
  public static let largestArea = 2048 * 1152

  private enum Register {
    static let depth = 0x00
    static let width = 0x0F
    static let height = 0x17
    static let blank = 0x1F
    static let base = 0x20
    static let lock = 0xFF
  }

  /// Creates an adapter without a monitor.
  ///
  /// - Parameter serial: The USB serial number, to distinguish adapters.
  public init(serial: String) {
    self.serial = serial
    memory = [UInt8](repeating: 0, count: 2 * Self.largestArea)
  }

  /// The USB description, with the vendor ID that the driver udl binds to.
  public var description: USBDescription {
    USBDescription(vendor: 0x17e9, product: 0x0141, manufacturer: "Lab", name: "DisplayLink adapter", serial: serial)
  }

  // MARK: Monitor

  /// The connector types: one VGA connector.
  public var kinds: [GUDCard.Kind] { [.vga] }

  /// Connects a monitor, replacing any connected one.
  ///
  /// - Parameters:
  ///   - number: Ignored, because there is only one connector.
  ///   - edid: The EDID. If it is empty, the driver reports the connector as disconnected.
  public mutating func connect(_ number: Int, edid: [UInt8]) {
    self.edid = edid
    hasMonitor = true
    changes += 1
  }

  /// Disconnects the monitor.
  public mutating func disconnect(_ number: Int) {
    edid = []
    hasMonitor = false
    changes += 1
  }

  /// Returns whether a monitor is connected.
  public func isConnected(_ number: Int) -> Bool { hasMonitor }

  /// Returns the monitor's framebuffer, or nil if no monitor is connected, or it is blanked or without a mode.
  public func scanout(_ number: Int) -> PixelBuffer? {
    let (width, height) = (number16(Register.width), number16(Register.height))
    let start =
      Int(registers[Register.base]) << 16 | Int(registers[Register.base + 1]) << 8 | Int(registers[Register.base + 2])
    let count = 2 * width * height
    guard hasMonitor, hasMode, registers[Register.blank] == 0, count > 0, start + count <= memory.count else {
      return nil
    }
    var scanout = PixelBuffer(width: width, height: height, format: .rgb565)
    scanout.write(memory[start..<start + count], to: PixelBuffer.Area(x: 0, y: 0, width: width, height: height))
    return scanout
  }

  private func number16(_ register: Int) -> Int { Int(registers[register]) << 8 | Int(registers[register + 1]) }

  // MARK: Requests

  /// Handles the driver's control requests: the vendor descriptor, the EDID byte by byte, and the channel selection.
  ///
  /// - Parameters:
  ///   - request: The setup packet.
  ///   - data: The bytes that the host wrote, empty for a read.
  /// - Returns: The reply. The adapter accepts every channel key.
  public mutating func control(_ request: ControlRequest, _ data: [UInt8]) -> ControlAnswer {
    switch (request.type, request.request) {
    case (0x80, 6) where request.value >> 8 == 0x5F: return .data(vendorDescriptor)
    case (0xC0, 2):
      let place = Int(request.value >> 8)
      return edid.indices.contains(place) ? .data([0, edid[place]]) : .stall
    case (0x40, 0x12): return .taken
    default: return .stall
    }
  }

  /// The vendor descriptor.
  ///
  /// Key 0x0200 is the maximum area in pixels.
  private var vendorDescriptor: [UInt8] {
    var items: [UInt8] = [0x00, 0x02, 4]
    items.append(littleEndian: UInt32(Self.largestArea))
    let total = UInt8(5 + items.count)
    return [total, 0x5F, 0x01, 0x00, total - 2] + items
  }

  // MARK: Commands

  /// Executes the commands of a bulk transfer.
  ///
  /// Each starts with 0xAF and ends within the transfer.
  ///
  /// - Parameter data: The commands.
  /// - Returns: Whether all commands were valid.
  public mutating func bulk(_ data: ArraySlice<UInt8>) -> Bool {
    pixelBytes += data.count
    changes += 1
    var reader = CommandReader(data)
    while let byte = reader.next() {
      guard byte == 0xAF else { return false }
      // Repeated 0xAF bytes are padding.
      guard let command = reader.peek(), command != 0xAF else { continue }
      _ = reader.next()
      guard execute(command, from: &reader) else { return false }
    }
    return true
  }

  private mutating func execute(_ command: UInt8, from reader: inout CommandReader) -> Bool {
    switch command {
    case 0x20:
      guard let register = reader.next(), let value = reader.next() else { return false }
      registers[Int(register)] = value
      // The mode takes effect when the registers are unlocked.
      if Int(register) == Register.lock { hasMode = value == 0xFF }
      return true
    case 0x68, 0x69, 0x6B:
      guard let address = reader.address(), let size = reader.next() else { return false }
      let count = size == 0 ? 256 : Int(size)
      guard address + 2 * count <= memory.count else { return false }
      switch command {
      case 0x68: return raw(count, to: address, &reader)
      case 0x69: return runs(count, to: address, &reader)
      default: return rawAndRuns(count, to: address, &reader)
      }
    case 0x6A:
      guard let source = reader.address(), let size = reader.next(), let target = reader.address() else { return false }
      let count = 2 * (size == 0 ? 256 : Int(size))
      guard source + count <= memory.count, target + count <= memory.count else { return false }
      memory.replaceSubrange(target..<target + count, with: Array(memory[source..<source + count]))
      return true
    default: return false
    }
  }

  /// Executes an uncompressed write: one pixel value per pixel.
  private mutating func raw(_ count: Int, to address: Int, _ reader: inout CommandReader) -> Bool {
    for number in 0..<count {
      guard let (high, low) = reader.pixel() else { return false }
      memory[address + 2 * number] = low
      memory[address + 2 * number + 1] = high
    }
    return true
  }

  /// Executes a run-length-encoded write: pairs of a repeat count and a pixel value.
  private mutating func runs(_ count: Int, to address: Int, _ reader: inout CommandReader) -> Bool {
    var done = 0
    while done < count {
      guard let size = reader.next(), let (high, low) = reader.pixel() else { return false }
      let run = size == 0 ? 256 : Int(size)
      guard done + run <= count else { return false }
      fill(run, at: address + 2 * done, high, low)
      done += run
    }
    return true
  }

  /// Executes a mixed write: alternating uncompressed pixels and repeat counts of the last pixel.
  private mutating func rawAndRuns(_ count: Int, to address: Int, _ reader: inout CommandReader) -> Bool {
    var done = 0
    while done < count {
      guard let size = reader.next() else { return false }
      let plain = size == 0 ? 256 : Int(size)
      guard done + plain <= count, raw(plain, to: address + 2 * done, &reader) else { return false }
      done += plain
      if done == count { break }
      guard let again = reader.next(), done + Int(again) <= count else { return false }
      let last = address + 2 * (done - 1)
      fill(Int(again), at: address + 2 * done, memory[last + 1], memory[last])
      done += Int(again)
    }
    return true
  }

  private mutating func fill(_ count: Int, at address: Int, _ high: UInt8, _ low: UInt8) {
    for number in 0..<count {
      memory[address + 2 * number] = low
      memory[address + 2 * number + 1] = high
    }
  }

  /// Discards the mode.
  ///
  /// The monitor stays connected.
  public mutating func reset() {
    registers = [UInt8](repeating: 0, count: 256)
    hasMode = false
    changes += 1
  }
}

/// A reader of the bytes of a bulk transfer.
private struct CommandReader {
  private let bytes: ArraySlice<UInt8>
  private var place: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  func peek() -> UInt8? { place < bytes.endIndex ? bytes[place] : nil }

  mutating func next() -> UInt8? {
    guard place < bytes.endIndex else { return nil }
    place += 1
    return bytes[place - 1]
  }

  /// Reads a 24-bit big-endian address.
  mutating func address() -> Int? {
    guard place + 3 <= bytes.endIndex else { return nil }
    place += 3
    return Int(bytes[place - 3]) << 16 | Int(bytes[place - 2]) << 8 | Int(bytes[place - 1])
  }

  /// Reads a 16-bit big-endian pixel.
  mutating func pixel() -> (high: UInt8, low: UInt8)? {
    guard place + 2 <= bytes.endIndex else { return nil }
    place += 2
    return (bytes[place - 2], bytes[place - 1])
  }
}
