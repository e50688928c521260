/// The modules of a kernel and their dependencies, from depmod's modules.dep.
struct KernelModules {
  /// The path of each module below the modules' directory, and its dependencies in the order of modules.dep.
  private var entries: [String: (path: String, needs: [String])] = [:]

  /// Parses lines such as "kernel/a/b.ko: kernel/c/d.ko kernel/e.ko".
  init(dependencies text: String) {
    for line in text.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let path = String(line[..<colon])
      let needs = line[line.index(after: colon)...].split(separator: " ").map(String.init)
      entries[KernelModules.name(of: path)] = (path, needs)
    }
  }

  /// Returns the paths of modules and their dependencies, in an order that insmod accepts.
  ///
  /// Names that are missing from modules.dep are assumed to be built in.
  func loadOrder(_ names: [String]) -> [String] {
    var order: [String] = []
    for name in names { add(name, to: &order) }
    return order
  }

  func contains(_ name: String) -> Bool {
    entries[KernelModules.name(of: name)] != nil
  }

  private func add(_ name: String, to order: inout [String]) {
    guard let entry = entries[KernelModules.name(of: name)], !order.contains(entry.path) else { return }
    // modules.dep lists direct and indirect dependencies, the most basic one last.
    for path in entry.needs.reversed() where !order.contains(path) { order.append(path) }
    order.append(entry.path)
  }

  /// Returns the module name of a path: virtio_pci for "kernel/drivers/virtio/virtio-pci.ko.xz".
  static func name(of path: String) -> String {
    let file = Files.baseName(path)
    let stem = file.range(of: ".ko").map { file[..<$0] } ?? file[...]
    return String(stem.map { $0 == "-" ? "_" : $0 })
  }
}

extension String {
  /// Returns the start of the first occurrence of `text`, without Foundation.
  fileprivate func range(of text: String) -> String.Index? {
    indices.first { self[$0...].hasPrefix(text) }
  }
}
