import Testing

@testable import Service

struct CachePathTests {
  @Test(
    arguments: [
      (["CACHE_DIRECTORY": "/var/cache/placard:/other", "HOME": "/root"], "/var/cache/placard"),
      (["CACHE_DIRECTORY": "relative", "XDG_CACHE_HOME": "/c", "HOME": "/root"], "/c/placard"),
      (["CACHE_DIRECTORY": "", "XDG_CACHE_HOME": "no", "HOME": "/root"], "/root/.cache/placard"),
      (["HOME": "here"], nil), ([:], nil),
    ] as [([String: String], String?)])
  func `The first place that the environment names counts`(environment: [String: String], expected: String?) {
    #expect(CachePath.choose { environment[$0] } == expected)
  }
}
