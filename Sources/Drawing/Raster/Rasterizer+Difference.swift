package import Geometry
package import Layout
import Typesetting

extension Rasterizer {
  /// Computes where a frame that shows `old` differs from one that shows `new`.
  ///
  /// - Parameters:
  ///   - old: The list shown so far. If it is nil, the whole frame differs.
  ///   - new: The list to show.
  ///   - materials: The render resources with which the lists were laid out.
  /// - Returns: Rectangles of the frame that do not overlap.
  package func difference(from old: DisplayList?, to new: DisplayList, with materials: RenderResources) -> [Rect] {
    guard let old, old.background == new.background else { return size.area == 0 ? [] : [Rect(size)] }
    let pictureSize = pictureSize
    var damage = Damage(within: Rect(pictureSize))
    // Compare the items between the common prefix and the common suffix of both lists. Only what they cover is
    // repainted.
    let (before, after) = (old.items.differing(from: new.items), new.items.differing(from: old.items))
    var (oldGrounds, newGrounds) = (Backgrounds(old.background), Backgrounds(new.background))
    for item in new.items[..<after.lowerBound] {
      oldGrounds.add(item)
      newGrounds.add(item)
    }
    for place in 0..<max(before.count, after.count) {
      let (gone, come) = (before.lowerBound + place, after.lowerBound + place)
      let pair = (
        before.contains(gone) ? old.items[gone] : nil, after.contains(come) ? new.items[come] : nil
      )
      switch pair {
      case (let before?, let after?) where before == after: break
      case (.text(let before), .text(let after))
      where before.isLike(after)
        && oldGrounds.color(behind: .text(before)) == newGrounds.color(behind: .text(after)):
        add(before, after, to: &damage, materials.typesetter)
      case (let before, let after): for item in [before, after] { damage.add(item?.ink ?? .empty) }
      }
      if let item = pair.0 { oldGrounds.add(item) }
      if let item = pair.1 { newGrounds.add(item) }
    }
    return damage.rects.map { rotation.turn($0, in: pictureSize) }
  }

  /// Adds the ink of the glyphs that differ.
  private func add(_ before: TextItem, _ after: TextItem, to damage: inout Damage, _ typesetter: Typesetter) {
    let changed = after.run.glyphs.differing(from: before.run.glyphs)
    damage.add(ink(before.run.glyphs.differing(from: after.run.glyphs), of: before, typesetter))
    damage.add(ink(changed, of: after, typesetter))
    guard before.ink != after.ink else { return }
    // A changed clip, or wrong ink metrics in the font, can cut off another part of an unchanged glyph.
    let both = before.ink.intersection(after.ink)
    for index in after.run.glyphs.indices where !changed.contains(index) {
      let bounds = drawn(after.run.glyphs[index], after.run, typesetter).1
      if !both.contains(bounds) { damage.add(bounds) }
    }
  }

  private func ink(_ range: Range<Int>, of item: TextItem, _ typesetter: Typesetter) -> Rect {
    if range.count == item.run.glyphs.count { return item.ink }
    let ink = item.run.glyphs[range].reduce(Rect.empty) { ink, glyph in
      ink.union(drawn(glyph, item.run, typesetter).1)
    }
    return ink.intersection(item.ink)
  }
}

extension TextItem {
  /// Returns whether equal glyphs of both items look the same.
  fileprivate func isLike(_ other: TextItem) -> Bool {
    color == other.color && run.font == other.run.font && run.size == other.run.size
  }
}

extension Array where Element: Equatable {
  /// Returns the range between the common prefix and the common suffix of both arrays.
  fileprivate func differing(from other: [Element]) -> Range<Int> {
    let shorter = Swift.min(count, other.count)
    var prefix = 0
    while prefix < shorter, self[prefix] == other[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < shorter - prefix, self[count - 1 - suffix] == other[other.count - 1 - suffix] { suffix += 1 }
    return prefix..<count - suffix
  }
}
