/// A large value that rarely changes, in one allocation that its copies share.
struct Shared<Value> {
  private final class Storage {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  private let storage: Storage

  init(_ value: Value) { storage = Storage(value) }

  var value: Value { storage.value }
}
