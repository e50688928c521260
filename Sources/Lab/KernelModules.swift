/// The modules of a kernel and what each needs, from depmod's modules.dep.
struct KernelModules {
  /// Path below the modules' directory by module name, and the paths it needs, in the order of modules.dep.
  private var entries: [String: (path: String, needs: [String])] = [:]

  /// Reads lines such as "kernel/a/b.ko: kernel/c/d.ko kernel/e.ko".
  init(dependencies text: String) {
    for line in text.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let path = String(line[..<colon])
      let needs = line[line.index(after: colon)...].split(separator: " ").map(String.init)
      entries[KernelModules.name(of: path)] = (path, needs)
    }
  }

  /// The paths of the modules named and of all they need, in an order in which insmod can load them. A name that is
  /// not there is taken for built in.
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
    // modules.dep lists everything that is needed, also indirectly, the most basic last.
    for path in entry.needs.reversed() where !order.contains(path) { order.append(path) }
    order.append(entry.path)
  }

  /// "kernel/drivers/virtio/virtio-pci.ko.xz" is the module virtio_pci.
  static func name(of path: String) -> String {
    let file = Files.baseName(path)
    let stem = file.range(of: ".ko").map { file[..<$0] } ?? file[...]
    return String(stem.map { $0 == "-" ? "_" : $0 })
  }
}

extension String {
  /// Where `text` begins; the standard library has the search but Foundation the name.
  fileprivate func range(of text: String) -> String.Index? {
    indices.first { self[$0...].hasPrefix(text) }
  }
}
