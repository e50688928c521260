import NIOHTTP1

/// The page with the login form, which needs no script and nothing from other servers.
enum LoginPage {
  /// The path of the page.
  static let path = "/login"
  /// The path of its style sheet; the content security policy blocks styles within the page.
  static let stylePath = "/login.css"
  /// The maximum size of the form, in bytes.
  static let mostBytes = 4096

  /// Returns the page, with an optional sentence about the last attempt.
  static func response(
    _ status: HTTPResponseStatus = .ok, in words: LoginWords, saying sentence: String? = nil
  ) -> Response {
    let alert = sentence.map { "\n      <p role=\"alert\">\($0)</p>" } ?? ""
    var response = Response(status, type: "text/html; charset=utf-8", body: Array(page(words, alert).utf8))
    response.headers.add(name: "vary", value: "accept-language")
    return response
  }

  /// The response with the style sheet of the page.
  static var styleResponse: Response {
    var response = Response(.ok, type: "text/css; charset=utf-8", body: Array(style.utf8))
    response.headers.replaceOrAdd(name: "cache-control", value: "no-cache")
    return response
  }

  private static func page(_ words: LoginWords, _ alert: String) -> String {
    """
    <!doctype html>
    <html lang="\(words.language)">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="theme-color" content="#f6f6f4" media="(prefers-color-scheme: light)">
        <meta name="theme-color" content="#131417" media="(prefers-color-scheme: dark)">
        <title>\(words.title)</title>
        <link rel="icon" href="data:,">
        <link rel="stylesheet" href="\(stylePath)">
      </head>
      <body>
        <main>
          <h1>\(logo) Placard</h1>
          <form method="post" action="\(path)">
            <h2>\(words.heading)</h2>\(alert)
            <label for="token">\(words.token)</label>
            <input id="token" name="token" type="password" autocomplete="current-password" required autofocus
              aria-describedby="hint">
            <p id="hint">\(words.hint)</p>
            <button type="submit">\(words.button)</button>
          </form>
          <p><a href="/">\(words.link)</a></p>
        </main>
      </body>
    </html>

    """
  }

  /// The icon of the page as an SVG image.
  private static let logo = """
    <svg width="36" height="36" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" \
    fill="#2b50d8"/><rect x="6" y="8" width="20" height="13" rx="2" fill="none" stroke="#fff" stroke-width="2"/>\
    <path d="M10 13h12M10 16.5h7M12 25h8" stroke="#fff" stroke-width="2" stroke-linecap="round"/></svg>
    """

  /// The style sheet, whose sizes and colors are those of the web page's tokens.css.
  private static let style = """
    :root {
      color-scheme: light dark;
      --ground: #f6f6f4; --panel: #ffffff; --line: #e1e1dc; --line-strong: #8d8d86; --ink: #1b1c1e; --ink-soft: #5c5e63;
      --accent: #2b50d8; --accent-ink: #ffffff; --bad: #b3261e; --bad-soft: #fce8e6;
      --shadow: 0 1px 2px rgb(20 20 30 / 5%), 0 6px 20px rgb(20 20 30 / 5%);
      font: 100%/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
      background: var(--ground);
      color: var(--ink);
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --ground: #131417; --panel: #1c1e22; --line: #2f3238; --line-strong: #7b7f88; --ink: #edeef0;
        --ink-soft: #a5a8af; --accent: #8aa4ff; --accent-ink: #0d1230; --bad: #ff9d94; --bad-soft: #43201d;
        --shadow: 0 1px 2px rgb(0 0 0 / 40%);
      }
    }
    *, *::before, *::after { box-sizing: border-box; }
    body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px 16px; font-size: 0.9375rem; }
    main { width: min(24rem, 100%); }
    h1, h2, p { margin: 0; }
    h1 { display: flex; align-items: center; justify-content: center; gap: 10px; font-size: 1.625rem; font-weight: 680;
      letter-spacing: -0.015em; margin-bottom: 24px; }
    h2 { font-size: 1.0625rem; font-weight: 620; }
    form { display: flex; flex-direction: column; gap: 12px; background: var(--panel); border: 1px solid var(--line);
      border-radius: 14px; padding: 24px; box-shadow: var(--shadow); }
    label { font-size: 0.8125rem; font-weight: 550; color: var(--ink-soft); margin-bottom: -8px; }
    input, button { font: inherit; width: 100%; min-height: 44px; border-radius: 9px; padding: 8px 12px; }
    input { font-size: 16px; border: 1px solid var(--line-strong); background: var(--panel); color: inherit; }
    button { border: 0; background: var(--accent); color: var(--accent-ink); font-weight: 550; cursor: pointer;
      margin-top: 4px; }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
    #hint { font-size: 0.8125rem; color: var(--ink-soft); }
    [role=alert] { color: var(--bad); background: var(--bad-soft); border-radius: 9px; padding: 8px 12px;
      font-size: 0.8125rem; }
    main > p { text-align: center; margin-top: 16px; }
    a { display: inline-flex; align-items: center; min-height: 44px; color: var(--accent); text-underline-offset: 2px; }

    """
}
