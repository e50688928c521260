package import Control
import Scenes

extension Director {
  package func values(after place: ListPlace?, most: Int) async -> ListPart<ValueReport> {
    state.values(after: place, most: most)
  }

  package func value(_ name: String) async throws(ControlError) -> ValueReport { try state.value(name) }

  package func setValue(_ name: String, _ request: ValueRequest) async throws(ControlError) -> ValueReport {
    let value = try state.value(name, request)
    let wasStored = core.store.values[name].map { $0.maxAge == nil } ?? false
    try attempt { store, now throws(SessionModelError) in store.setValue(value, at: now) }
    let report = try state.value(name)
    // A value with a maximum age is not stored, and need not wait for a disk. A stored one before it must not return.
    if value.maxAge == nil || wasStored { await persistence.settled() }
    return report
  }

  package func removeValue(_ name: String) async throws(ControlError) {
    try attempt { store, _ throws(SessionModelError) in try store.removeValue(name) }
    await persistence.settled()
  }
}
