import Geometry
import Glibc
import Testing

@testable import Pictures

/// The access rules for image files.
struct PictureFoldersTests {
  private final class Place {
    let path: String

    init() throws {
      var template = Array("/tmp/placard-folders-XXXXXX".utf8CString)
      try #require(unsafe mkdtemp(&template) != nil)
      path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
      for folder in ["signs", "signs/menu", "more", "secret"] { unsafe mkdir("\(path)/\(folder)", 0o700) }
      for file in ["signs/a.png", "signs/menu/b.png", "more/c.png", "secret/d.png"] {
        let descriptor = unsafe open("\(path)/\(file)", O_WRONLY | O_CREAT, 0o600)
        let bytes = PNGFile(size: Size(2, 2), kind: .gray).bytes()
        #expect(unsafe write(descriptor, bytes, bytes.count) == bytes.count)
        close(descriptor)
      }
      for (link, target) in [
        ("inner", "menu/b.png"), ("outer", "../secret/d.png"), ("gone", "../secret/e.png"), ("absolute", "/etc/shadow"),
        ("other", "\(path)/more/c.png"), ("folder", "../secret"), ("nothing", "menu/none.png"),
      ] { unsafe symlink(target, "\(path)/signs/\(link)") }
      unsafe mkfifo("\(path)/signs/pipe", 0o600)
    }

    deinit {
      for name in ["inner", "outer", "gone", "absolute", "other", "folder", "nothing", "pipe", "a.png", "menu/b.png"] {
        unsafe unlink("\(path)/signs/\(name)")
      }
      for name in ["more/c.png", "secret/d.png"] { unsafe unlink("\(path)/\(name)") }
      for name in ["/signs/menu", "/signs", "/more", "/secret", ""] { unsafe rmdir(path + name) }
    }

    /// Returns the warning that a client gets for a path; nil if the image is shown.
    func warning(_ name: String, _ folders: ImageFolders) -> String? {
      let path = name.hasPrefix("/") ? name : "\(path)/\(name)"
      let cache = ImageCache(reader: ImageReader(folders))
      do throws(ImageError) { _ = try cache.load(path) } catch {
        return error.description.replacing(path, with: "PATH")
      }
      return nil
    }
  }

  private static let outside =
    "the image PATH is not in an allowed folder; move it to one, or add its folder to `folders`"

  @Test func `files in the folders are read, even through links that stay inside`() throws {
    let place = try Place()
    let folders = ImageFolders(["\(place.path)/signs", "\(place.path)/more"])
    for name in [
      "signs/a.png", "signs/menu/b.png", "signs/menu/../a.png", "signs/./inner", "signs/other", "more/c.png",
    ] {
      #expect(place.warning(name, folders) == nil, "\(name)")
    }
  }

  @Test func `paths outside the folders get the same error whether the file exists or not`() throws {
    let place = try Place()
    let folders = ImageFolders(["\(place.path)/signs", "\(place.path)/more"])
    for name in [
      "secret/d.png", "secret/e.png", "/etc/shadow", "/no/such.png", "signs/../secret/d.png", "signs/../secret/e.png",
      "signs/outer", "signs/gone", "signs/absolute", "signs/folder/d.png", "signs/folder/e.png", "signsmore",
    ] { #expect(place.warning(name, folders) == Self.outside, "\(name)") }
    #expect(place.warning("relative.png", ImageFolders()) == Self.outside)
    #expect(place.warning("secret/d.png", ImageFolders(["secret", ""])) == Self.outside)
  }

  @Test func `inside the folders the reason is exact, and a pipe does not block`() throws {
    let place = try Place()
    let folders = ImageFolders(["\(place.path)/signs"])
    #expect(place.warning("signs/none.png", folders)?.contains("the file does not exist") == true)
    #expect(place.warning("signs/nothing", folders)?.contains("the file does not exist") == true)
    #expect(place.warning("signs/pipe", folders)?.contains("it is not a regular file") == true)
    #expect(place.warning("signs/menu", folders)?.contains("it is not a regular file") == true)
  }

  @Test func `a single file can be allowed without its neighbors`() throws {
    let place = try Place()
    let folders = ImageFolders([String](), files: ["\(place.path)/secret/d.png"])
    #expect(place.warning("secret/d.png", folders) == nil)
    #expect(place.warning("secret/e.png", folders) == Self.outside)
  }
}
