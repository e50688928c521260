/// A DisplayLink adapter of the first generation, as the kernel's driver udl wants it (kernel: drivers/gpu/drm/udl): one
/// connector, which the kernel calls VGA, with an EDID, and pixels of 16 bits that come as commands to its memory.
public struct DisplayLinkCard: USBDisplay {
  private var edid: [UInt8] = []
  private var hasMonitor = false
  private let serial: String
  /// What it shows is a part of it: 16 bits a pixel, kept little-endian.
  private var memory: [UInt8]
  private var registers = [UInt8](repeating: 0, count: 256)
  private var hasMode = false

  /// How often what its monitor shows has changed.
  public private(set) var changes = 0
  /// How many bytes of commands have come.
  public private(set) var pixelBytes = 0

  /// The most pixels that it can show.
  public static let largestArea = 2048 * 1152

  private enum Register {
    static let depth = 0x00
    static let width = 0x0F
    static let height = 0x17
    static let blank = 0x1F
    static let base = 0x20
    static let lock = 0xFF
  }

  /// An adapter without a monitor.
  public init(serial: String) {
    self.serial = serial
    memory = [UInt8](repeating: 0, count: 2 * Self.largestArea)
  }

  /// The vendor's number is what the kernel's driver looks for.
  public var description: USBDescription {
    USBDescription(vendor: 0x17e9, product: 0x0141, manufacturer: "Lab", name: "DisplayLink adapter", serial: serial)
  }

  // MARK: The monitor

  /// One connector.
  public var kinds: [GUDCard.Kind] { [.vga] }

  /// Plugs a monitor in, or another one. One without an EDID is none to this adapter.
  public mutating func connect(_ number: Int, edid: [UInt8]) {
    self.edid = edid
    hasMonitor = true
    changes += 1
  }

  /// Unplugs the monitor.
  public mutating func disconnect(_ number: Int) {
    edid = []
    hasMonitor = false
    changes += 1
  }

  /// Whether it has a monitor.
  public func isConnected(_ number: Int) -> Bool { hasMonitor }

  /// What the monitor shows; nil while it is dark.
  public func glass(_ number: Int) -> Glass? {
    let (width, height) = (number16(Register.width), number16(Register.height))
    let start =
      Int(registers[Register.base]) << 16 | Int(registers[Register.base + 1]) << 8 | Int(registers[Register.base + 2])
    let count = 2 * width * height
    guard hasMonitor, hasMode, registers[Register.blank] == 0, count > 0, start + count <= memory.count else {
      return nil
    }
    var glass = Glass(width: width, height: height, format: .rgb565)
    glass.write(memory[start..<start + count], to: Glass.Area(x: 0, y: 0, width: width, height: height))
    return glass
  }

  private func number16(_ register: Int) -> Int { Int(registers[register]) << 8 | Int(registers[register + 1]) }

  // MARK: Requests

  /// Answers the driver's requests: what it can do, a byte of the EDID at a time, and the channel, which is always open.
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

  /// Key 0x0200 is the largest area.
  private var vendorDescriptor: [UInt8] {
    var items: [UInt8] = [0x00, 0x02, 4]
    items.append(littleEndian: UInt32(Self.largestArea))
    let total = UInt8(5 + items.count)
    return [total, 0x5F, 0x01, 0x00, total - 2] + items
  }

  // MARK: Commands

  /// Takes commands, each of which begins with 0xAF; none goes on in the next transfer.
  public mutating func bulk(_ data: ArraySlice<UInt8>) -> Bool {
    pixelBytes += data.count
    changes += 1
    var reader = CommandReader(data)
    while let byte = reader.next() {
      guard byte == 0xAF else { return false }
      // A row of these is a way to do nothing.
      guard let command = reader.peek(), command != 0xAF else { continue }
      _ = reader.next()
      guard take(command, from: &reader) else { return false }
    }
    return true
  }

  private mutating func take(_ command: UInt8, from reader: inout CommandReader) -> Bool {
    switch command {
    case 0x20:
      guard let register = reader.next(), let value = reader.next() else { return false }
      registers[Int(register)] = value
      // The mode counts when the registers are unlocked again.
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

  /// As many pixels as there are.
  private mutating func raw(_ count: Int, to address: Int, _ reader: inout CommandReader) -> Bool {
    for number in 0..<count {
      guard let (high, low) = reader.pixel() else { return false }
      memory[address + 2 * number] = low
      memory[address + 2 * number + 1] = high
    }
    return true
  }

  /// Each pixel with how often it comes.
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

  /// Pixels as they are, then how often the last one comes again, by turns.
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

  /// Forgets the mode; the monitor stays plugged in.
  public mutating func reset() {
    registers = [UInt8](repeating: 0, count: 256)
    hasMode = false
    changes += 1
  }
}

/// The bytes of a transfer, one after the other.
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

  /// 24 bits, the highest first.
  mutating func address() -> Int? {
    guard place + 3 <= bytes.endIndex else { return nil }
    place += 3
    return Int(bytes[place - 3]) << 16 | Int(bytes[place - 2]) << 8 | Int(bytes[place - 1])
  }

  /// 16 bits, the higher ones first.
  mutating func pixel() -> (high: UInt8, low: UInt8)? {
    guard place + 2 <= bytes.endIndex else { return nil }
    place += 2
    return (bytes[place - 2], bytes[place - 1])
  }
}
