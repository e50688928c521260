import Geometry
import SeededRandom
import Testing

struct RectTests {
  private let square = Rect(x: 10, y: 20, width: 30, height: 40)

  @Test func `The intersection is the common area`() {
    let other = Rect(x: 25, y: 0, width: 100, height: 30)
    #expect(square.intersection(other) == Rect(x: 25, y: 20, width: 15, height: 10))
    #expect(other.intersection(square) == square.intersection(other))
  }

  @Test func `Rectangles that only touch have an empty intersection`() {
    #expect(square.intersection(Rect(x: 40, y: 20, width: 5, height: 5)) == .empty)
    #expect(square.intersection(Rect(x: 10, y: 60, width: 5, height: 5)) == .empty)
  }

  @Test func `The union contains both rectangles, and an empty one does not change it`() {
    let far = Rect(x: 100, y: 0, width: 1, height: 1)
    let union = square.union(far)
    #expect(union == Rect(x: 10, y: 0, width: 91, height: 60))
    #expect(union.contains(square))
    #expect(union.contains(far))
    #expect(square.union(.empty) == square)
    #expect(Rect.empty.union(square) == square)
  }

  @Test func `A rectangle contains itself and empty ones, but none that exceeds it by a pixel`() {
    #expect(square.contains(square))
    #expect(square.contains(.empty))
    #expect(!square.contains(Rect(x: 9, y: 20, width: 30, height: 40)))
    #expect(!square.contains(Rect(x: 10, y: 20, width: 31, height: 40)))
  }

  @Test func `Insets that are too large leave the empty rectangle`() {
    #expect(square.inset(by: Insets(top: 1, left: 2, bottom: 3, right: 4)) == Rect(x: 12, y: 21, width: 24, height: 36))
    #expect(square.inset(by: Insets(top: 20, left: 0, bottom: 20, right: 0)) == .empty)
    #expect(square.inset(by: Insets(top: 0, left: 31, bottom: 0, right: 0)) == .empty)
  }

  @Test func `Intersection and union agree for random rectangles`() {
    var numbers = SeededGenerator(seed: UInt64.random(in: .min ... .max))
    for _ in 0..<500 {
      let one = random(&numbers)
      let two = random(&numbers)
      let common = one.intersection(two)
      let both = one.union(two)
      #expect(one.contains(common) && two.contains(common), "\(one) \(two), seed \(numbers.seed)")
      #expect(both.contains(one) && both.contains(two), "\(one) \(two), seed \(numbers.seed)")
    }
  }

  private func random(_ numbers: inout SeededGenerator) -> Rect {
    Rect(
      x: .random(in: -20...20, using: &numbers), y: .random(in: -20...20, using: &numbers),
      width: .random(in: 0...20, using: &numbers), height: .random(in: 0...20, using: &numbers))
  }
}
