public import Control

/// What the service does not do yet; it says so.
extension Director {
  public func open(_ request: OpenRequest) async throws(ControlError) -> SessionReport { throw unfinished }
  public func move(_ session: Int, to display: String) async throws(ControlError) -> SessionReport { throw unfinished }
  public func close(_ session: Int) async throws(ControlError) { throw unfinished }
  public func scroll(_ session: Int, _ request: ScrollRequest) async throws(ControlError) -> SessionReport {
    throw unfinished
  }
  public func refresh(_ session: Int) async throws(ControlError) -> SessionReport { throw unfinished }
  public func messages() async -> [LiveMessage] { [] }
  public func post(_ request: MessageRequest) async throws(ControlError) -> MessageReport { throw unfinished }
  public func acknowledge(_ message: Int) async throws(ControlError) { throw unfinished }
  public func withdraw(_ message: Int) async throws(ControlError) { throw unfinished }
  public func history(_ query: HistoryQuery) async throws(ControlError) -> [HistoryLine] { throw unfinished }

  private var unfinished: ControlError { ControlError(.failed, "This service cannot do that yet.") }
}
