package import Displays
import Geometry

/// A card source that records the cards of another source, independent of the backend.
package final class RecordingSource: CardSource {
  /// The backend of the underlying source.
  package var backend: String { source.backend }
  /// The arrivals of the underlying source.
  package let arrivals: AsyncStream<CardArrival>

  private let source: any CardSource
  private let recorder: Recorder
  private let continuation: AsyncStream<CardArrival>.Continuation

  /// Creates a source that records another one.
  ///
  /// - Parameters:
  ///   - source: The underlying source.
  ///   - recorder: The recorder of all calls and events.
  package init(_ source: any CardSource, recorder: Recorder) {
    self.source = source
    self.recorder = recorder
    (arrivals, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
  }

  /// Starts the scan for cards.
  package func start() async {
    Task { [source, recorder, continuation] in
      for await arrival in source.arrivals { continuation.yield(recorder.recorded(arrival)) }
      continuation.finish()
    }
    await source.start()
  }
}

extension Recorder {
  fileprivate func recorded(_ arrival: CardArrival) -> CardArrival {
    switch arrival {
    case .ready(let card):
      arrived(.ready, card.path)
      return .ready(RecordingCard(card, recorder: self))
    case .waiting(let card): arrived(.waiting, card.path, reason: card.reason)
    case .gone(let path): arrived(.gone, path)
    case .settled: arrived(.settled)
    }
    return arrival
  }
}

/// A card that records its calls, their answers and its events. Pixels are not recorded.
final class RecordingCard: DisplayCard {
  var path: String { card.path }
  let events: AsyncStream<CardEvent>
  var commitsTogether: Bool { card.commitsTogether }
  var followers: FlipFollowers { card.followers }

  private let card: any DisplayCard
  private let recorder: Recorder

  init(_ card: any DisplayCard, recorder: Recorder) {
    self.card = card
    self.recorder = recorder
    let (events, continuation) = AsyncStream.makeStream(of: CardEvent.self, bufferingPolicy: .unbounded)
    self.events = events
    let path = card.path
    card.followers.listen { recorder.heard(.flipped($0), from: path) }
    Task {
      for await event in card.events {
        if case .flipped = event {} else { recorder.heard(event, from: path) }
        continuation.yield(event)
      }
      continuation.finish()
    }
  }

  func probe(_ connectors: Set<UInt32>?) async throws(CardError) -> CardSnapshot {
    let number = recorder.asks(.probe, of: path, connectors: connectors)
    do throws(CardError) {
      let snapshot = try await card.probe(connectors)
      recorder.answered(number, snapshot)
      return snapshot
    } catch {
      recorder.answered(number, error: error)
      throw error
    }
  }

  func allocate(_ size: Size) async throws(CardError) -> FrameBuffer {
    let number = recorder.asks(.allocate, of: path, size: [size.width, size.height])
    do throws(CardError) {
      let buffer = try await card.allocate(size)
      recorder.answered(number, format: buffer.format == .rgb565 ? "rgb565" : "xrgb8888")
      return buffer
    } catch {
      recorder.answered(number, error: error)
      throw error
    }
  }

  func check(_ plan: ModesetPlan) async throws(CardError) {
    let number = recorder.asks(.check, of: path, plan: plan)
    do throws(CardError) {
      try await card.check(plan)
      recorder.answered(number)
    } catch {
      recorder.answered(number, error: error)
      throw error
    }
  }

  func apply(_ plan: ModesetPlan) async throws(CardError) {
    let number = recorder.asks(.apply, of: path, plan: plan)
    do throws(CardError) {
      try await card.apply(plan)
      recorder.answered(number)
    } catch {
      recorder.answered(number, error: error)
      throw error
    }
  }

  func present(_ flip: FlipRequest) throws(CardError) {
    recorder.presents(flip, to: path)
    do throws(CardError) {
      try card.present(flip)
    } catch {
      recorder.presented(flip, to: path, error: error)
      throw error
    }
    recorder.presented(flip, to: path)
  }

  func close() async {
    let number = recorder.asks(.close, of: path)
    await card.close()
    recorder.answered(number)
  }
}
