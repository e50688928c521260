import NIOHTTP1

/// The page that asks for the token. It needs no script, and nothing from anywhere else.
enum LoginPage {
  /// Where it is.
  static let path = "/login"
  /// Where its style is; the content policy lets no style in the page itself count.
  static let stylePath = "/login.css"
  /// Most bytes of its form.
  static let mostBytes = 4096

  /// The page, with a sentence about the last try where there was one.
  static func response(_ status: HTTPResponseStatus = .ok, saying sentence: String? = nil) -> Response {
    let alert = sentence.map { "\n      <p role=\"alert\">\($0)</p>" } ?? ""
    return Response(status, type: "text/html; charset=utf-8", body: Array(page(alert).utf8))
  }

  /// The style of the page.
  static var styleResponse: Response {
    var response = Response(.ok, type: "text/css; charset=utf-8", body: Array(style.utf8))
    response.headers.replaceOrAdd(name: "cache-control", value: "no-cache")
    return response
  }

  private static func page(_ alert: String) -> String {
    """
    <!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>Log in to Placard</title>
        <link rel="icon" href="data:,">
        <link rel="stylesheet" href="\(stylePath)">
      </head>
      <body>
        <main>
          <h1>Placard</h1>
          <form method="post" action="\(path)">
            <label for="token">Token</label>
            <input id="token" name="token" type="password" autocomplete="current-password" required autofocus
              aria-describedby="hint">
            <p id="hint">Whoever runs the service knows it: it is what its token file holds.</p>\(alert)
            <button type="submit">Log in</button>
          </form>
          <p><a href="/">I am logged in already</a></p>
        </main>
      </body>
    </html>

    """
  }

  private static let style = """
    :root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
    body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText; }
    main { width: min(22rem, calc(100vw - 3rem)); }
    h1 { font-size: 1.5rem; margin: 0 0 1.5rem; }
    label { display: block; font-weight: 600; margin-bottom: 0.25rem; }
    input, button { font: inherit; width: 100%; box-sizing: border-box; padding: 0.6rem 0.75rem; border-radius: 0.5rem; }
    input { border: 1px solid GrayText; background: Field; color: FieldText; }
    button { border: 0; background: #0b57d0; color: #fff; font-weight: 600; margin-top: 0.5rem; }
    :focus-visible { outline: 3px solid #f2b134; outline-offset: 2px; }
    #hint { font-size: 0.875rem; margin: 0.5rem 0 0; }
    [role=alert] { font-weight: 600; margin: 0.75rem 0 0; }

    """
}
