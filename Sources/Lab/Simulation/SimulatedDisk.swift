import CSimulatedDisk
import Glibc
import SeededRandom
import Synchronization

/// The disk under the service's database: writes are lost in a power cut until the file is synced.
///
/// There is one disk per process, in front of SQLite's files in a directory that should be in memory.
final class SimulatedDisk: Sendable {
  /// A fault that lasts until the disk is healed.
  enum Fault: String, CaseIterable {
    case full, failingWrites, failingSyncs
  }

  fileprivate enum Change {
    case write([UInt8], offset: Int)
    case truncate(Int)
  }

  /// The content of a file at its last sync, and the changes since.
  fileprivate struct File {
    var synced: [UInt8] = []
    var later: [Change] = []
  }

  fileprivate struct State {
    var files: [String: File] = [:]
    var fault: Fault?
    var isFrozen = false
    /// The number of writes and syncs that were carried out, and of those that failed.
    var calls = 0
    var failures = 0
  }

  static let shared = SimulatedDisk()

  private let state = Mutex(State())

  /// Puts the disk in front of SQLite's files.
  ///
  /// - Throws: `SimulationError` if SQLite refuses.
  static func install() throws(SimulationError) {
    var functions = unsafe simulated_disk()
    unsafe functions.write = { _, path, bytes, count, offset in
      let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
      return unsafe SimulatedDisk.shared.change(path, .write(Array(bytes), offset: Int(offset)))
    }
    unsafe functions.truncate = { _, path, size in
      unsafe SimulatedDisk.shared.change(path, .truncate(Int(size)))
    }
    unsafe functions.sync = { _, path in unsafe SimulatedDisk.shared.sync(path) }
    unsafe functions.remove = { _, path in unsafe SimulatedDisk.shared.remove(path) }
    let code = unsafe simulated_disk_install(&functions)
    guard code == Int32(SIMULATED_OK.rawValue) else {
      throw SimulationError("SQLite refuses the simulated disk: error \(code)")
    }
  }

  /// The fault; nil if the disk works.
  var fault: Fault? { state.withLock { $0.fault } }

  /// The number of failed calls.
  var failures: Int { state.withLock { $0.failures } }

  /// The number of writes and syncs.
  var calls: Int { state.withLock { $0.calls } }

  /// Begins or ends a fault.
  func set(_ fault: Fault?) { state.withLock { $0.fault = fault } }

  /// Refuses all changes until `thaw`, as for a process that no longer exists.
  func freeze() { state.withLock { $0.isFrozen = true } }

  /// Accepts changes again.
  func thaw() { state.withLock { $0.isFrozen = false } }

  /// Forgets all files.
  func clear() { state.withLock { $0 = State(calls: $0.calls, failures: $0.failures) } }

  /// Loses a random part of the changes since the last sync of each file, while no database is open.
  ///
  /// - Parameter random: Decides for each change whether it had reached the disk.
  /// - Returns: The number of lost changes.
  func cutPower(using random: inout SeededGenerator) -> Int {
    var lost = 0
    state.withLock { state in
      for path in state.files.keys.sorted() {
        guard var file = state.files[path], !file.later.isEmpty else { continue }
        for change in file.later {
          if Bool.random(using: &random) { file.apply(change) } else { lost += 1 }
        }
        file.later = []
        state.files[path] = file
        Self.replace(path, by: file.synced)
      }
    }
    return lost
  }

  private static func replace(_ path: String, by bytes: [UInt8]) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    unsafe _ = write(descriptor, bytes, bytes.count)
  }

  private func change(_ path: UnsafePointer<CChar>?, _ change: Change) -> Int32 {
    guard let path = unsafe path.map({ unsafe String(cString: $0) }) else { return Int32(SIMULATED_OK.rawValue) }
    return state.withLock { state in
      state.calls += 1
      let isLarger = if case .write = change { true } else { false }
      switch state.fault {
      case _ where state.isFrozen: return Int32(SIMULATED_ERROR.rawValue)
      case .full where isLarger: return state.fail(SIMULATED_FULL)
      case .failingWrites: return state.fail(SIMULATED_WRITE_ERROR)
      default: break
      }
      state.files[path, default: File()].later.append(change)
      return Int32(SIMULATED_OK.rawValue)
    }
  }

  private func sync(_ path: UnsafePointer<CChar>?) -> Int32 {
    guard let path = unsafe path.map({ unsafe String(cString: $0) }) else { return Int32(SIMULATED_OK.rawValue) }
    return state.withLock { state in
      state.calls += 1
      if state.isFrozen { return Int32(SIMULATED_ERROR.rawValue) }
      if state.fault == .failingSyncs { return state.fail(SIMULATED_SYNC_ERROR) }
      for change in state.files[path]?.later ?? [] { state.files[path]?.apply(change) }
      state.files[path]?.later = []
      return Int32(SIMULATED_OK.rawValue)
    }
  }

  private func remove(_ path: UnsafePointer<CChar>?) -> Int32 {
    guard let path = unsafe path.map({ unsafe String(cString: $0) }) else { return Int32(SIMULATED_OK.rawValue) }
    return state.withLock { state in
      if state.isFrozen { return Int32(SIMULATED_ERROR.rawValue) }
      state.files[path] = nil
      return Int32(SIMULATED_OK.rawValue)
    }
  }
}

extension SimulatedDisk.State {
  fileprivate mutating func fail(_ result: simulated_result) -> Int32 {
    failures += 1
    return Int32(result.rawValue)
  }
}

extension SimulatedDisk.File {
  fileprivate mutating func apply(_ change: SimulatedDisk.Change) {
    switch change {
    case .truncate(let size):
      if size < synced.count {
        synced.removeLast(synced.count - size)
      } else {
        synced += [UInt8](repeating: 0, count: size - synced.count)
      }
    case .write(let bytes, let offset):
      let end = offset + bytes.count
      if end > synced.count { synced += [UInt8](repeating: 0, count: end - synced.count) }
      synced.replaceSubrange(offset..<end, with: bytes)
    }
  }
}

/// The reason that a simulation cannot run.
package struct SimulationError: Error, CustomStringConvertible {
  /// The sentence.
  package let description: String

  init(_ description: String) { self.description = description }
}
