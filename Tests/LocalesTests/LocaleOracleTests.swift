import Glibc
import Locales
import Testing

/// A comparison with a C++ program that uses ICU's own classes.
struct LocaleOracleTests {
  @Test func `Numbers, dates and times agree with ICU's C++ classes in 30 languages`() throws {
    let seed = UInt32.random(in: 0...UInt32.max)
    let source = #filePath.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/oracle.cpp"
    let program = "/tmp/placard-locales-\(getpid())"
    let build = Self.run("g++ -O0 -o \(program) '\(source)' -licui18n -licuuc 2>&1")
    defer { unsafe unlink(program) }
    try #require(build == [], "\(build)")
    let formats = LocaleFormats()
    var (count, languages) = (0, Set<String>())
    for line in Self.run("\(program) \(seed)") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let (kind, tag, options, value, text) = (fields[0], fields[1], fields[2], fields[3], fields[4])
      let language = try #require(Language(tag))
      let found =
        kind == "number"
        ? formats.number(value, options, in: language)
        : formats.date(try #require(Int64(value)), options, in: language)
      #expect(found == text, "\(line), seed \(seed)")
      languages.insert(tag)
      count += 1
    }
    print("\(count) numbers, dates and times in \(languages.count) languages, seed \(seed)")
    #expect(count > 9000 && languages.count == 30)
  }

  @Test func `Invalid options and numbers have no text`() throws {
    let (formats, german) = (LocaleFormats(), try #require(Language("de")))
    #expect(formats.number("1", "no-such-option", in: german) == nil)
    #expect(formats.number("one", ".", in: german) == nil)
    #expect(formats.number("1", ".0", in: german) == "1,0")
    // More formats than are kept.
    for digits in 1...200 {
      let skeleton = "integer-width/*" + String(repeating: "0", count: digits % 100 + 1)
      _ = formats.number("1", skeleton, in: german)
      _ = formats.date(0, "Hm", in: try #require(Language("de-x-\(digits)")))
    }
    #expect(formats.number("1", ".0", in: german) == "1,0")
  }

  @Test func `The Debian package has the version of the library`() {
    #expect(LocaleFormats.library.hasPrefix("libicui18n.so."))
    #expect(LocaleFormats.debianPackage == "libicu" + LocaleFormats.library.dropFirst("libicui18n.so.".count))
  }

  @Test func `A language without data is known to have none`() throws {
    let formats = LocaleFormats()
    #expect(formats.knows(try #require(Language("de-DE"))) == true)
    #expect(formats.knows(try #require(Language("zh-Hant-TW"))) == true)
    #expect(formats.knows(try #require(Language("xx"))) == false)
  }

  private static func run(_ command: String) -> [String] {
    guard let pipe = unsafe popen(command, "re") else { return ["popen failed"] }
    defer { unsafe pclose(pipe) }
    var output: [UInt8] = []
    while case let byte = unsafe getc(pipe), byte != EOF { output.append(UInt8(truncatingIfNeeded: byte)) }
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
