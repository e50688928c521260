import Geometry
import Layout
import Pictures
import SeededRandom
import Typesetting

/// A generator of random display lists with all kinds of items, and of slightly changed lists.
struct RandomLists {
  /// The display's size in pixels.
  let size: Size
  /// The text runs for text items; without any, no text items are made.
  var lines: [GlyphRun] = []
  /// The images for image items; without any, no image items are made.
  var pictures: [ImageID] = []
  var generator: SeededGenerator

  /// Returns a list of one to four items.
  mutating func list() -> DisplayList {
    let items = (0..<number(1...4)).map { _ in item() }
    return DisplayList(size: size, background: color(), items: items)
  }

  /// Returns the list with one item added, removed, changed or moved.
  mutating func changed(_ list: DisplayList) -> DisplayList {
    var list = list
    let place = number(0...list.items.count)
    switch number(0...9) {
    case 0: list.background = color()
    case 1...3: list.items.insert(item(), at: place)
    case 4, 5:
      if place < list.items.count { list.items.append(list.items.remove(at: place)) }
    case 6, 7:
      if place < list.items.count { list.items[place] = cut(list.items[place]) }
    default:
      if place < list.items.count { list.items.remove(at: place) }
    }
    return list
  }

  mutating func rect() -> Rect {
    Rect(
      x: number(-40...size.width), y: number(-40...size.height), width: number(0...size.width),
      height: number(0...size.height))
  }

  private mutating func item() -> DisplayItem {
    switch number(0...5) {
    case 0, 1:
      if let line = lines.randomElement(using: &generator) { return text(line) }
    case 2, 3:
      if let picture = pictures.randomElement(using: &generator) {
        return .picture(ImageItem(picture: picture, frame: rect(), clip: clip()))
      }
    case 4:
      let axis: GradientItem.Axis = isHeads() ? .horizontal : .vertical
      return .gradient(GradientItem(rect: rect(), from: color(), to: color(), axis: axis, clip: clip()))
    default: break
    }
    let radius = isHeads() ? number(-1...90) : 0
    return .fill(FillItem(rect: rect(), color: color(), cornerRadius: radius, clip: clip()))
  }

  private mutating func text(_ line: GlyphRun) -> DisplayItem {
    var run = line
    let (x, y) = (number(-20...size.width), number(-20...size.height))
    run.ink.x += x
    run.ink.y += y
    for index in run.glyphs.indices {
      run.glyphs[index].x += Int32(x * 64)
      run.glyphs[index].y += Int32(y * 64)
    }
    return .text(TextItem(run: run, color: color(), clip: clip()))
  }

  /// Returns the same item with another clip.
  private mutating func cut(_ item: DisplayItem) -> DisplayItem {
    switch item {
    case .text(var item):
      item.clip = clip()
      return .text(item)
    case .fill(var item):
      item.clip = clip()
      return .fill(item)
    case .gradient(var item):
      item.clip = clip()
      return .gradient(item)
    case .picture(var item):
      item.clip = clip()
      return .picture(item)
    }
  }

  private mutating func clip() -> Rect? { isHeads() ? rect() : nil }

  private mutating func color() -> Color {
    let values = (0..<3).map { _ in UInt8(number(0...255)) }
    return Color(red: values[0], green: values[1], blue: values[2])
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }

  private mutating func isHeads() -> Bool { .random(using: &generator) }
}
