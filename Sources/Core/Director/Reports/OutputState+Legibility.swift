import Configuration
import Control
import Displays
import Geometry

/// The heights of letters on a display, and the distances from which they are readable.
extension OutputState {
  /// Returns the distance from which the smallest text of an extent is readable.
  ///
  /// - Parameter extent: The extent of the content.
  /// - Returns: The report; nil if there is no text, no mode is set, or the size of the image is unknown.
  func legibility(of extent: Extent) -> LegibilityReport? {
    guard let pixels = extent.smallestCapital, let pixel = pixelMillimeters else { return nil }
    let height = pixels * pixel
    return LegibilityReport(
      display: name, letterHeight: tenths(height),
      readableDistance: tenths(Legibility.distance(forHeight: height) / 1000),
      distance: presentation.distance.map { Double($0) / 1000 })
  }

  /// Returns why the smallest text of an extent is not known to be readable at the configured distance.
  ///
  /// - Parameter extent: The extent of the content.
  /// - Returns: A sentence with the next step; nil if the text is readable, or if no distance is configured.
  func legibilityWarning(of extent: Extent) -> String? {
    guard let distance = presentation.distance, let pixels = extent.smallestCapital, candidate != nil
    else { return nil }
    let meters = decimal(Double(distance) / 1000)
    guard let pixel = pixelMillimeters else {
      return "the monitor does not report its size, so it is unknown whether the text is readable from \(meters) m; "
        + "set its `diagonal` in the configuration"
    }
    let (height, needed) = (pixels * pixel, Legibility.height(atDistance: Double(distance)))
    guard height < needed else { return nil }
    let readable = decimal(Legibility.distance(forHeight: height) / 1000)
    return
      "the smallest letters are \(decimal(height)) mm high, readable from \(readable) m; from \(meters) m they must "
      + "be \(decimal(needed)) mm high (20 minutes of arc): show less text"
  }

  /// The distance from which the smallest text on screen is readable, in a sentence with the rule; nil if it is unknown,
  /// or if there is no text.
  var legibilityReason: String? {
    guard isLit, let report = legibility(of: showing.extent) else { return nil }
    let wanted = report.distance.map { "; its distance is \(decimal($0)) m" } ?? ""
    return "its smallest letters are \(decimal(report.letterHeight)) mm high, readable from "
      + "\(decimal(report.readableDistance)) m, where they are seen at 20 minutes of arc (NUREG-0700)\(wanted)"
  }

  private func tenths(_ number: Double) -> Double { (number * 10).rounded() / 10 }

  private func decimal(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  /// The size of a pixel of the current mode in millimeters, the smaller of both directions.
  ///
  /// A configured diagonal takes precedence. It is nil if no mode is set, or if the size of the image is unknown.
  var pixelMillimeters: Double? {
    guard let pixels = candidate?.mode.size, pixels.width > 0, pixels.height > 0 else { return nil }
    if let diagonal = presentation.diagonal {
      let (width, height) = (Double(pixels.width), Double(pixels.height))
      return Double(diagonal) / (width * width + height * height).squareRoot()
    }
    guard let image = record.imageSize else { return nil }
    return min(Double(image.width) / Double(pixels.width), Double(image.height) / Double(pixels.height))
  }
}
