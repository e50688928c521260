package import Control
import Scenes

extension Director {
  /// The controller's board.
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

  /// Gives the board other columns and cards, if nobody else did since the one that was seen.
  package func setBoard(_ edit: SceneEdit) async throws(ControlError) -> BoardReport {
    let scene = try scene(edit.scene)
    try mustExpect(store.board, edit, "the board")
    // Nothing is awaited from the look to the change, so that nobody comes between.
    try attemptAtOnce { store, _ throws(SessionModelError) in _ = try store.setBoard(scene) }
    let report = boardReport
    await keeper.settled()
    return report
  }

  /// Where a session is; nil while it waits for its monitor.
  private func display(of session: Int) -> String? { store.profile(of: session)?.display }
}
