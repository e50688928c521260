import Control

extension FakeService {
  func preview(_ display: String, _ request: PreviewRequest) async throws(ControlError) -> Preview {
    try known(display)
    return Preview(
      tag: "a1-\(request.width)-\(request.format.rawValue)", type: "image/jpeg", bytes: [0xFF, 0xD8, 0xFF, 0xD9])
  }
}
