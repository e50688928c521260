package import Control
import Scenes

extension Director {
  package func values(after place: ListPlace?, most: Int) async -> ListPart<ValueReport> {
    state.values(after: place, most: most)
  }

  package func value(_ name: String) async throws(ControlError) -> ValueReport { try state.value(name) }

  package func setValue(_ name: String, _ request: ValueRequest) async throws(ControlError) -> ValueReport {
    let value = try state.value(name, request)
    try attempt { store, now throws(SessionModelError) in store.setValue(value, at: now) }
    let report = try state.value(name)
    // A value with a maximum age is not stored. If there was a stored one before, its removal can be late.
    if value.maxAge == nil { await persistence.settled() }
    return report
  }

  package func removeValue(_ name: String) async throws(ControlError) {
    try attempt { store, _ throws(SessionModelError) in try store.removeValue(name) }
    await persistence.settled()
  }
}
