package import Control
import Scenes

extension Director {
  package func board() async -> BoardReport { state.board() }

  package func setBoard(_ edit: SceneEdit) async throws(ControlError) -> BoardReport {
    let scene = try state.scene(edit.scene)
    try state.mustExpect(core.store.board, edit, "the board")
    // There is no suspension point between the check and the change, so that no other request comes in between.
    try attempt { store, _ throws(SessionModelError) in _ = try store.setBoard(scene) }
    let report = state.board()
    await persistence.settled()
    return report
  }

}
