import Geometry
import Glibc
import Layout
import Raster
import Typesetting

/// A comparison of fonts for reading from a distance, at the same height of capital letters.
///
/// Two letters are drawn, blurred as by the eye at the limit of a comfortable reading distance, and compared. The blur
/// is a Gaussian whose standard deviation is one minute of arc, where a capital letter has 20 (see `Legibility`).
enum FontBench {
  /// The families in Debian that are made for screens and signs.
  private static let families = ["DejaVu Sans", "Noto Sans", "Inter", "B612"]
  /// Letters and digits that readers confuse.
  private static let pairs = [
    ("I", "l"), ("l", "1"), ("I", "1"), ("O", "0"), ("B", "8"), ("S", "5"), ("Z", "2"), ("G", "6"), ("C", "G"),
    ("rn", "m"), ("cl", "d"), ("vv", "w"), ("e", "c"), ("a", "o"), ("3", "8"), ("6", "8"), ("1", "7"), ("c", "o"),
  ]
  private static let sample = "Platform 3: the train to Hamburg departs at 14:30. Bitte nicht einsteigen."
  /// The height of a capital letter, in pixels.
  private static let capital = 60

  /// Prints a table with a row for each installed family.
  static func run() throws {
    print(
      "| font | width of a letter | stem | least difference | pair | the next ones | mean |\n|---|---|---|---|---|---|---|"
    )
    for family in families {
      let font = try FontSample(family, capital: capital)
      guard font.isInstalled else {
        print("| \(family) | not installed | | | | | |")
        continue
      }
      let differences = try pairs.map { (pair: "\($0) \($1)", value: try font.difference($0, $1)) }
        .sorted { $0.value < $1.value }
      let mean = differences.reduce(0) { $0 + $1.value } / Double(differences.count)
      let next = differences.dropFirst().prefix(3).map { "\($0.pair) \(fixed($0.value))" }.joined(separator: ", ")
      print(
        "| \(family) | \(fixed(try font.width(of: sample))) | \(fixed(try font.stem())) | \(fixed(differences[0].value)) "
          + "| \(differences[0].pair) | \(next) | \(fixed(mean)) |")
    }
  }

  private static func fixed(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
  }
}

/// A font at a size, drawn in white on black.
private struct FontSample {
  private let family: String
  private let capital: Int
  private let materials: RenderResources
  private let size: Int
  let isInstalled: Bool

  init(_ family: String, capital: Int) throws {
    self.family = family
    self.capital = capital
    let materials = try RenderResources()
    self.materials = materials
    isInstalled = try materials.typesetter.warning(ofFont: family) == nil
    let trial = try Self.set("H", family, size: 6400, materials)
    let height = trial.runs.first.flatMap { materials.typesetter.capitalHeight(of: $0) } ?? 70
    size = Int(6400 * Double(capital) / height)
  }

  private static func set(_ text: String, _ family: String, size: Int, _ materials: RenderResources) throws
    -> TypesetText
  {
    var rules = FitRules(box: Size(8000, 400), minimum: size, wordBreak: size, maximum: size)
    rules.alignment = .left
    return try materials.typesetter.set(text, by: rules, font: family)
  }

  /// Returns the mean advance of the letters of a text, in heights of a capital.
  func width(of text: String) throws -> Double {
    let set = try Self.set(text, family, size: size, materials)
    let ink = set.runs.reduce(Rect.empty) { $0.union($1.ink) }
    return Double(ink.width) / Double(text.count) / Double(capital)
  }

  /// Returns the width of the stem of an I at half of its height, in heights of a capital.
  func stem() throws -> Double {
    let picture = try draw("I")
    let rows = picture.values.count / picture.width
    let row = (0..<rows).filter { y in
      picture.values[(y * picture.width)..<((y + 1) * picture.width)].contains { $0 > 0.5 }
    }
    let middle = row[row.count / 2]
    return picture.values[(middle * picture.width)..<((middle + 1) * picture.width)].reduce(0, +) / Double(capital)
  }

  /// Returns how different two texts are after blurring: 0 for equal ones, 1 for texts without common ink.
  ///
  /// The texts may be shifted against each other by a tenth of a capital's height.
  func difference(_ first: String, _ second: String) throws -> Double {
    let (one, other) = (try blurred(first), try blurred(second))
    return (-capital / 10...capital / 10).map { shift in one.difference(other, shift: shift) }.min() ?? 1
  }

  private func blurred(_ text: String) throws -> Coverage { try draw(text).blurred(Double(capital) / 20) }

  private func draw(_ text: String) throws -> Coverage {
    let canvasSize = Size(capital * 4, capital * 3)
    let set = try Self.set(text, family, size: size, materials)
    let ink = set.runs.reduce(Rect.empty) { $0.union($1.ink) }
    var list = DisplayList(size: canvasSize, background: Color(red: 0, green: 0, blue: 0))
    let baseline = set.runs.first?.glyphs.first.map { Int($0.y) / 64 } ?? 0
    for run in set.runs {
      var moved = run
      let (x, y) = (capital / 2 - ink.x, capital * 2 - baseline)
      moved.ink = Rect(x: run.ink.x + x, y: run.ink.y + y, width: run.ink.width, height: run.ink.height)
      for index in moved.glyphs.indices {
        moved.glyphs[index].x += Int32(x * 64)
        moved.glyphs[index].y += Int32(y * 64)
      }
      list.items.append(.text(TextItem(run: moved, color: Color(red: 255, green: 255, blue: 255))))
    }
    let canvas = Canvas(size: canvasSize, format: .xrgb8888)
    _ = canvas.draw(list, with: materials)
    let bytes = unsafe canvas.withUnsafeBytes { unsafe Array($0) }
    let stride = bytes.count / canvasSize.height
    let values = (0..<canvasSize.height).flatMap { y in
      (0..<canvasSize.width).map { x in Double(bytes[y * stride + x * 4]) / 255 }
    }
    return Coverage(width: canvasSize.width, values: values)
  }
}

/// The coverage of pixels by ink, 0 to 1.
private struct Coverage {
  let width: Int
  let values: [Double]

  /// Returns the coverage convolved with a Gaussian.
  func blurred(_ sigma: Double) -> Coverage {
    let reach = Int(sigma * 3)
    let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = weights.reduce(0, +)
    func convolved(_ values: [Double], step: Int, count: Int, at position: (Int) -> Int) -> [Double] {
      values.indices.map { index in
        var total = 0.0
        for offset in -reach...reach where (0..<count).contains(position(index) + offset) {
          total += values[index + offset * step] * weights[offset + reach]
        }
        return total / sum
      }
    }
    let rows = values.count / width
    let across = convolved(values, step: 1, count: width) { $0 % width }
    return Coverage(width: width, values: convolved(across, step: width, count: rows) { $0 / width })
  }

  /// Returns the share of the ink that two coverages do not have in common.
  func difference(_ other: Coverage, shift: Int) -> Double {
    var (apart, all) = (0.0, 0.0)
    for index in values.indices {
      let x = index % width - shift
      let value = (0..<width).contains(x) ? other.values[index - shift] : 0
      apart += abs(values[index] - value)
      all += max(values[index], value)
    }
    return all > 0 ? apart / all : 0
  }
}
