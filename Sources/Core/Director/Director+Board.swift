package import Control
import Scenes

extension Director {
  /// Returns the controller's board.
  package func board() async -> BoardReport { boardReport }

  private var boardReport: BoardReport {
    let open = store.sessions.compactMap { session in
      session.card.map { card in
        BoardReport.OpenCard(card: card, session: session.id, display: display(of: session.id))
      }
    }
    let document = store.board.document
    return BoardReport(board: document, revision: Revision.of(document), open: open)
  }

  /// Replaces the columns and cards of the board, unless they changed since the revision that the client read.
  ///
  /// - Parameter edit: The new board, with the revision that it is based on.
  /// - Throws: `ControlError` if the board is invalid, or of kind `changed` if the current revision is another one.
  /// - Returns: The board after the change.
  package func setBoard(_ edit: SceneEdit) async throws(ControlError) -> BoardReport {
    let scene = try scene(edit.scene)
    try mustExpect(store.board, edit, "the board")
    // There is no suspension point between the check and the change, so that no other request comes in between.
    try attemptAtOnce { store, _ throws(SessionModelError) in _ = try store.setBoard(scene) }
    let report = boardReport
    await persistence.settled()
    return report
  }

  /// Returns the display of a session, or nil while the session waits for its monitor.
  private func display(of session: Int) -> String? { store.profile(of: session)?.display }
}
