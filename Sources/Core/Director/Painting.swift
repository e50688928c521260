import Displays
import Geometry

/// The values that the control loop and the render threads exchange.
enum Painting {
  /// The identifier of a surface: one output that is lit or about to be.
  typealias SurfaceID = Int

  /// A painted frame in a buffer, ready to be presented.
  struct Frame: Sendable {
    var buffer: BufferID
    /// The rectangles that differ from the frame on screen.
    var damage: [Rect]
  }

  /// The result of painting a scene.
  struct Painted: Sendable {
    /// The frame to flip to; nil if it equals the one on screen.
    var frame: Frame?
    /// The warnings about how the scene is shown, for the user.
    var warnings: [String]
    /// The warnings among them about images that are not shown.
    var lostPictures: [String] = []
    /// The extent of the content.
    var extent = Extent()
    /// The animation in the frame; nil if it is static.
    var moving: Moving?
    /// The result of presenting the frame.
    var answer = Answer.unasked
  }

  /// How a view is shown on a display, without a frame.
  struct Inspection: Sendable {
    /// The warnings about how the scene is shown, for the user, a sentence each.
    var warnings: [String] = []
    /// The extent of the content.
    var extent = Extent()
  }

  /// The result of presenting a painted frame.
  enum Answer: Sendable {
    /// The frame equals the one on screen or is no longer wanted, so the card was not called.
    case unasked
    /// The card accepted the frame, and its flip follows.
    case presented
    case refused(CardError)
  }

  /// The result of a flip that belonged to a render thread.
  struct Step: Sendable {
    enum Outcome: Sendable {
      /// The flip was not handled, and is left to the director.
      case left
      /// The newest painted frame is recorded as being on screen. The director decides the next step.
      case swapped
      /// The same, and the next frame was presented.
      case answered(Next)
    }

    /// New content that the control loop offered, and how it was painted.
    struct Content: Sendable {
      let job: PaintJob
      let painted: Painted
    }

    /// A frame that was presented immediately after the flip.
    struct Next: Sendable {
      let generation: Int
      /// The animation, with this frame painted.
      let moving: Moving
      let frame: Frame
      /// The number of frames missed before the flip; nil if the flip was not a step.
      let missed: Int?
      /// The new content in the frame; nil if it has that of the frame before.
      let content: Content?
    }

    let flip: Flip
    let outcome: Outcome
  }
}
