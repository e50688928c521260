package import Control

/// A recorded operation of a fake service.
package enum ServiceCall: Hashable, Sendable {
  case open(OpenRequest)
  case move(Int, String)
  case close(Int)
  case reopen(Int)
  case scroll(Int, ScrollRequest)
  case refresh(Int)
  case edit(Int, SceneEdit)
  case post(MessageRequest)
  case acknowledge(Int)
  case withdraw(Int)
  case removeAllMessages
  case acknowledgeLoss(Int)
  case acknowledgeLosses
  case history(HistoryQuery)
  case setMode(String, ModeRequest)
  case confirmMode(String)
  case resetMode(String)
  case identify(IdentifyRequest)
  case preview(String, PreviewRequest)
  case setBoard(SceneEdit)
  case addImage([UInt8], String?)
  case removeImage(String)
  case events(EventPlace?)
}
