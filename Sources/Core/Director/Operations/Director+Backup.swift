package import Control
package import JSON
import Scenes

extension Director {
  package func backup() async throws(ControlError) -> Backup {
    let images = try await environment.pictures?.all() ?? []
    return state.backup(images: images)
  }

  package func restore(_ document: JSONValue, isTrial: Bool) async throws(ControlError) -> RestoreReport {
    let images = try await environment.pictures?.all() ?? []
    // From here on there is no suspension point, so that no other request comes in between.
    let (model, report) = try state.model(of: Backup(reading: document), images: images)
    if isTrial { return report }
    try step { core throws(ControlError) in try core.replaceModel(by: model) }
    await persistence.settled()
    var done = report
    done.restored = true
    return done
  }
}
