import Geometry
import QRCodes
import Scenes
import Typesetting

extension LayoutContext {
  /// Lays out a QR code, with its caption beside it or, on tall displays, below it.
  mutating func layOut(_ panel: QRPanel) throws(TypesettingError) {
    let area = area
    guard let caption = panel.caption.orNothing else {
      let side = min(area.width, area.height)
      return draw(code(of: panel.text), in: area.middle(Size(side, side)))
    }
    let isStacked = LayoutRules.Code.isStacked[breakpoint]
    let extent = Double(isStacked ? area.height : area.width) * LayoutRules.Code.share[breakpoint]
    let side = min(Int(extent), area.width, area.height)
    let left =
      isStacked
      ? Size(area.width, area.height - side - 2 * gap) : Size(area.width - side - 2 * gap, area.height)
    let text = try fit(bold(caption), left, LayoutRules.Common.hero[breakpoint], isStacked ? .center : .start)
    let isBeside = !isStacked
    // The code and the caption are centered as a group.
    let length = side + 2 * gap + (isStacked ? text.size.height : text.ink.right)
    let whole = isBeside ? area.middle(Size(length, side)) : area.middle(Size(area.width, length))
    let square =
      isBeside
      ? Rect(x: whole.x, y: whole.y, width: side, height: side)
      : Rect(x: area.x + (area.width - side) / 2, y: whole.y, width: side, height: side)
    draw(code(of: panel.text), in: square)
    let place =
      isBeside
      ? (x: square.right + 2 * gap, y: area.y + (area.height - text.size.height) / 2)
      : (x: area.x, y: square.bottom + 2 * gap)
    draw(text, x: place.x, y: place.y)
  }

  /// Returns the QR code of a text; nil, with a warning, if the text cannot be encoded.
  mutating func code(of text: String) -> QRCode? {
    do throws(QRCodeError) { return try QRCode(text) } catch {
      warn("\(error)")
      return nil
    }
  }

  /// Draws a code on a white square, with modules of whole pixels and the required quiet zone.
  mutating func draw(_ code: QRCode?, in square: Rect) {
    guard let code else { return fill(square, panel, radius: pixels(LayoutRules.Board.radius)) }
    let module = square.size.shortSide / (code.side + 2 * QRCode.margin)
    guard module > 0 else {
      return warn("the QR code has \(code.side) modules in each direction; the display has too few pixels for it")
    }
    let ground = square.middle(Size((code.side + 2 * QRCode.margin) * module, (code.side + 2 * QRCode.margin) * module))
    fill(ground, .white, radius: 2 * module)
    for y in 0..<code.side {
      var x = 0
      while x < code.side {
        let start = x
        while code[x, y] { x += 1 }
        if x > start {
          let (left, top) = (start + QRCode.margin, y + QRCode.margin)
          fill(
            Rect(x: ground.x + left * module, y: ground.y + top * module, width: (x - start) * module, height: module),
            .black)
        }
        x += 1
      }
    }
  }
}
