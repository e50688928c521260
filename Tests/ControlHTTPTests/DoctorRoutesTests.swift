import Control
import Testing

@testable import ControlHTTP

extension FakeService {
  static let doctorReport = DoctorReport(
    healthy: false,
    findings: [
      .init(
        check: "master", severity: .wrong, code: "master-held", object: "/dev/dri/card0",
        text: "/dev/dri/card0: process 812 (Xorg) is DRM master", fix: "stop it", command: "sudo kill 812")
    ])
  static let logLines = (1...60).map { "2026-11-24T08:00:00Z info: line \($0)" }

  func doctor() async throws(ControlError) -> DoctorReport { Self.doctorReport }

  func log() async -> LogReport { LogReport(lines: Self.logLines) }
}

@Suite struct DoctorRoutesTests {
  private func answer(_ target: String, _ serving: Serving) async throws -> String {
    try await serving.answer(to: "GET \(target) HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
  }

  @Test func `The findings of the checks are served`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      let answer = try await answer("/v1/doctor", serving)
      #expect(answer.hasPrefix("HTTP/1.1 200 "))
      #expect(answer.contains("\"master-held\"") && answer.contains("\"healthy\":false"))
    }
  }

  @Test(arguments: [("", 50), ("?lines=2", 2), ("?lines=200", 60)])
  func `The newest lines of the log are served, as many as the query asks for`(
    query: String, count: Int
  ) async throws {
    try await Serving.run { (serving: Serving) async throws in
      let answer = try await answer("/v1/log\(query)", serving)
      #expect(answer.ranges(of: " info: line ").count == count)
      #expect(answer.contains("info: line 60\""))
    }
  }

  @Test(arguments: ["0", "201", "-1", "x", "%20", "1e2"])
  func `A number of lines outside the limits is rejected, and the error states the limits`(count: String) async throws {
    try await Serving.run { (serving: Serving) async throws in
      let answer = try await answer("/v1/log?lines=\(count)", serving)
      #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("from 1 to 200"))
    }
  }
}
