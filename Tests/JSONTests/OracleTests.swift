import FoundationEssentials
import JSON
import SeededRandom
import Testing

/// A comparison with FoundationEssentials, for the same values and bytes.
struct OracleTests {
  private func foundation(_ formatting: JSONEncoder.OutputFormatting = []) -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
    return encoder
  }

  @Test(arguments: 0..<300)
  func `the bytes match Foundation's, except for the digits of fractional numbers`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let value = Anything.random(numbers: false, using: &random)
    #expect(try JSON.encode(value) == Array(foundation().encode(value)), "seed \(seed)")
    #expect(try JSON.encode(value, pretty: true) == Array(foundation(.prettyPrinted).encode(value)), "seed \(seed)")
  }

  @Test(arguments: 0..<300)
  func `each coder reads the other's output`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let value = Anything.random(numbers: true, using: &random).rounded
    let ours = try JSON.encode(value, pretty: Bool.random(using: &random))
    #expect(try JSONDecoder().decode(Anything.self, from: Data(ours)).rounded == value, "seed \(seed)")
    #expect(try JSON.decode(Anything.self, from: ours).rounded == value, "seed \(seed)")
    let theirs = try JSONEncoder().encode(value)
    #expect(try JSON.decode(Anything.self, from: theirs).rounded == value, "seed \(seed)")
  }

  @Test(arguments: 0..<1500)
  func `text with random bytes that is accepted means the same to Foundation`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let value = Anything.random(numbers: true, using: &random)
    var bytes = try JSON.encode(value, pretty: Bool.random(using: &random))
    mutate(&bytes, using: &random)
    guard let ours = try? JSON.decode(Anything.self, from: bytes) else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    let theirs = try JSONDecoder().decode(Anything.self, from: Data(bytes))
    #expect(theirs.rounded == ours.rounded, "seed \(seed): \(text)")
  }

  private func mutate(_ bytes: inout [UInt8], using random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let byte = Array("0123456789eE+-.,:[]{}\"\\ntfu/ \n".utf8).randomElement(using: &random) ?? 0
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1, 2: bytes[place] = byte
      case 3: bytes.insert(byte, at: place)
      default: if bytes.count > 1 { bytes.remove(at: place) }
      }
    }
  }

  @Test(arguments: ["[1,]", "{\"a\":1,}", "\u{FEFF}1"])
  func `Foundation accepts more here`(text: String) throws {
    _ = try JSONDecoder().decode(Anything.self, from: Data(text.utf8))
    #expect(throws: DecodingError.self) { try decoded(text, as: Anything.self) }
  }

  @Test(arguments: [
    "1.5", "128", "-129", "1e2", "1.0", "\"1\"", "null", "true", "[1]", "{}", "-0", "1e-1", "127.000", "1270e-1",
  ])
  func `a number is accepted or refused as by Foundation`(text: String) throws {
    let theirs = Result { try JSONDecoder().decode([Int8].self, from: Data("[\(text)]".utf8)) }
    let ours = Result { try JSON.decode([Int8].self, from: "[\(text)]".utf8) }
    #expect((try? ours.get()) == (try? theirs.get()))
    #expect(kind(of: ours) == kind(of: theirs))
  }

  private func kind<T>(of result: Result<T, any Error>) -> String {
    guard case .failure(let error) = result else { return "success" }
    switch error as? DecodingError {
    case .dataCorrupted: return "dataCorrupted"
    case .keyNotFound: return "keyNotFound"
    case .typeMismatch: return "typeMismatch"
    case .valueNotFound: return "valueNotFound"
    default: return "other"
    }
  }
}
