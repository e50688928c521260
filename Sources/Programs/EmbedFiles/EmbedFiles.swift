import Glibc
import PackagePlugin

/// Has the texts in a target's folder `Files` written into Swift, so that they are part of the program.
///
/// SwiftPM's own `embedInCode` writes arrays of numbers, and a page of 200 KB takes the compiler more than a minute.
@main
struct EmbedFiles: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let folder = target.directoryURL.appending(path: "Files")
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
    let files = names(in: folder.path(percentEncoded: false)).map { folder.appending(path: $0) }
    return [
      .buildCommand(
        displayName: "Embedding the files of \(target.name)", executable: try context.tool(named: "embed-files").url,
        arguments: ([output] + files).map { $0.path(percentEncoded: false) }, inputFiles: files,
        outputFiles: [output])
    ]
  }

  /// The sorted names in a folder, without hidden files.
  private func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}
