import Geometry
import JSON
import Scenes
import Testing

/// Text that cannot be read on its background.
struct ContrastTests {
  private func refusal(_ document: String) -> String? {
    do throws(DocumentError) {
      _ = try Scene(parsing: document)
      return nil
    } catch { return "\(error)" }
  }

  @Test func `text in the color of its background is rejected in every scene`() {
    let style = ##""style": {"foreground": "#123", "background": "#112233"}"##
    let words = "`style.foreground` is #112233, the same color as the background, so the text would be invisible; "
    #expect(
      refusal(#"{"kind": "banner", "text": "a", \#(style)}"#)
        == words + "choose colors with a contrast of at least 4.5:1")
    #expect(refusal(#"{"kind": "board", "columns": [], \#(style)}"#)?.hasPrefix("`style.foreground` is") ?? false)
    let then = #"{"kind": "countdown", "to": "2026-12-31T23:59", "then": {"kind": "clock", \#(style)}}"#
    #expect(refusal(then)?.hasPrefix("`then.style.foreground` is #112233") ?? false)
    // A scene without text has nothing that could be invisible.
    for bare in [#""kind": "blank""#, #""kind": "banner", "text": " ""#, #""kind": "image", "path": "/a.png""#] {
      #expect(refusal("{\(bare), \(style)}") == nil)
    }
  }

  @Test func `a color that equals only the display's background is found with the display's style`() throws {
    let scene = try Scene(parsing: ##"{"kind": "banner", "text": "a", "style": {"foreground": "#0b1f4b"}}"##)
    #expect(scene.invisibleText(on: nil) == nil)
    let text = try #require(scene.invisibleText(on: Style()))
    #expect(text.path == "style.foreground" && text.color == .nightBlue)
    #expect(scene.invisibleText(on: Style(background: .black)) == nil)
  }

  @Test(arguments: [("#444455", "1.6"), ("#0b1f4c", "1.0"), ("#868686", "4.3"), ("#888888", nil)])
  func `a contrast below 4.5:1 is a warning with the ratio`(color: String, ratio: String?) throws {
    let scene = try Scene(parsing: #"{"kind": "banner", "text": "a", "style": {"foreground": "\#(color)"}}"#)
    let warnings = scene.view(in: ViewContext(now: 0, zones: ZoneCache())).warnings
    let words = ratio.map {
      "the text \(color) on #0b1f4b has a contrast of \($0):1 and is hard to read; choose colors with at least 4.5:1"
    }
    #expect(warnings == [words].compactMap(\.self))
  }

  /// Text that is drawn in the accent color, with the name that a warning gives it.
  static let accented = [
    (#""kind": "board", "columns": [{"title": "Today", "cards": []}]"#, "the title of a column"),
    (#""kind": "countdown", "to": "2026-12-31T23:59""#, "the number of days"),
    (#""kind": "markdown", "text": "[a](https://example.org)""#, "the text of a link or table heading"),
  ]

  @Test(arguments: accented)
  func `text in the accent color is compared with the background`(fields: String, name: String) throws {
    let equal = ##"{\##(fields), "style": {"accent": "#0b1f4b", "background": "#0b1f4b"}}"##
    #expect(
      refusal(equal) == "`style.accent` is #0b1f4b, the same color as the background, so the text would be invisible; "
        + "choose colors with a contrast of at least 4.5:1")
    let faint = try Scene(parsing: ##"{\##(fields), "style": {"accent": "#444455"}}"##)
    let warnings = faint.view(in: ViewContext(now: 0, zones: ZoneCache())).warnings
    #expect(
      warnings == [
        "\(name) #444455 on #0b1f4b has a contrast of 1.6:1 and is hard to read; choose colors with at least 4.5:1"
      ])
    #expect(refusal(##"{\##(fields), "style": {"accent": "#ffb000"}}"##) == nil)
  }

  @Test func `an accent that no text uses may have any color`() throws {
    for fields in [#""kind": "banner", "text": "a""#, #""kind": "board", "columns": [{"cards": []}]"#] {
      let scene = try Scene(parsing: ##"{\##(fields), "style": {"accent": "#0b1f4b"}}"##)
      #expect(scene.view(in: ViewContext(now: 0, zones: ZoneCache())).warnings.isEmpty)
    }
  }
}
