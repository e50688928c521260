import Geometry
import Glibc
import Testing

@testable import Pictures

/// Which files may be read.
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
        let bytes = PNGFile(size: Size(2, 2), kind: .grey).bytes()
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

    /// What a client hears of a path in place of the picture; nil where it is shown.
    func warning(_ name: String, _ folders: PictureFolders) -> String? {
      let path = name.hasPrefix("/") ? name : "\(path)/\(name)"
      let shelf = PictureShelf(reader: PictureReader(folders))
      do throws(PictureError) { _ = try shelf.load(path) } catch {
        return error.description.replacing(path, with: "PATH")
      }
      return nil
    }
  }

  private static let outside =
    "the picture PATH is not in a folder for pictures; put it there or add its folder to `folders`"

  @Test func `files of the folders are read, by links that stay in them, too`() throws {
    let place = try Place()
    let folders = PictureFolders(["\(place.path)/signs", "\(place.path)/more"])
    for name in [
      "signs/a.png", "signs/menu/b.png", "signs/menu/../a.png", "signs/./inner", "signs/other", "more/c.png",
    ] {
      #expect(place.warning(name, folders) == nil, "\(name)")
    }
  }

  @Test func `what leads out of the folders is refused in the same words, whether it is there or not`() throws {
    let place = try Place()
    let folders = PictureFolders(["\(place.path)/signs", "\(place.path)/more"])
    for name in [
      "secret/d.png", "secret/e.png", "/etc/shadow", "/no/such.png", "signs/../secret/d.png", "signs/../secret/e.png",
      "signs/outer", "signs/gone", "signs/absolute", "signs/folder/d.png", "signs/folder/e.png", "signsmore",
    ] { #expect(place.warning(name, folders) == Self.outside, "\(name)") }
    #expect(place.warning("relative.png", PictureFolders()) == Self.outside)
    #expect(place.warning("secret/d.png", PictureFolders(["secret", ""])) == Self.outside)
  }

  @Test func `inside the folders the reason is exact, and a pipe blocks nothing`() throws {
    let place = try Place()
    let folders = PictureFolders(["\(place.path)/signs"])
    #expect(place.warning("signs/none.png", folders)?.contains("there is no such file") == true)
    #expect(place.warning("signs/nothing", folders)?.contains("there is no such file") == true)
    #expect(place.warning("signs/pipe", folders)?.contains("it is no file") == true)
    #expect(place.warning("signs/menu", folders)?.contains("it is no file") == true)
  }

  @Test func `a single file is allowed without its neighbours`() throws {
    let place = try Place()
    let folders = PictureFolders([String](), files: ["\(place.path)/secret/d.png"])
    #expect(place.warning("secret/d.png", folders) == nil)
    #expect(place.warning("secret/e.png", folders) == Self.outside)
  }
}
