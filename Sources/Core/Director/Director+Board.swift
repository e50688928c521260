package import Control
import Scenes

extension Director {
  /// Returns the controller's board.
  package func board() async -> BoardReport { state.board() }

  /// Replaces the columns and cards of the board, unless they changed since the revision that the client read.
  ///
  /// - Parameter edit: The new board, with the revision that it is based on.
  /// - Throws: `ControlError` if the board is invalid, or of kind `changed` if the current revision is another one.
  /// - Returns: The board after the change.
  package func setBoard(_ edit: SceneEdit) async throws(ControlError) -> BoardReport {
    let scene = try state.scene(edit.scene)
    try state.mustExpect(store.board, edit, "the board")
    // There is no suspension point between the check and the change, so that no other request comes in between.
    try attemptAtOnce { store, _ throws(SessionModelError) in _ = try store.setBoard(scene) }
    let report = state.board()
    await persistence.settled()
    return report
  }

}
