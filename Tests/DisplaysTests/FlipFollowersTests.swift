import Displays
import Synchronization
import Testing

struct FlipFollowersTests {
  /// The sequence numbers of the flips that a follower received.
  private final class Heard: Sendable {
    private let kept = Mutex<[UInt32]>([])
    var all: [UInt32] { kept.withLock { $0 } }
    func add(_ flip: Flip) { kept.withLock { $0.append(flip.sequence) } }
    var follower: FlipFollower { FlipFollower { [self] in add($0) } }
  }

  private func flip(_ crtc: UInt32, _ sequence: UInt32) -> Flip { Flip(crtc: crtc, sequence: sequence, time: 1) }

  @Test func `flips go to the newest follower of their CRTC and to no other`() {
    let followers = FlipFollowers()
    let (one, two) = (Heard(), Heard())
    #expect(!followers.deliver(flip(41, 1)))
    followers.add(one.follower, of: 41)
    #expect(followers.deliver(flip(41, 2)) && !followers.deliver(flip(42, 3)))
    followers.add(two.follower, of: 41)
    #expect(followers.deliver(flip(41, 4)))
    #expect(one.all == [2] && two.all == [4])
  }

  @Test func `the flip of a modeset goes to no follower`() {
    let followers = FlipFollowers()
    let heard = Heard()
    followers.add(heard.follower, of: 41)
    #expect(!followers.deliver(Flip(crtc: 41, sequence: 1, time: 1, modeset: 5)))
    #expect(followers.deliver(flip(41, 2)) && heard.all == [2])
  }

  @Test func `removing a follower does not remove another one`() {
    let followers = FlipFollowers()
    let heard = Heard()
    let (former, newest) = (heard.follower, heard.follower)
    followers.add(former, of: 41)
    followers.add(newest, of: 41)
    followers.remove(former, of: 41)
    #expect(followers.deliver(flip(41, 1)))
    followers.remove(newest, of: 41)
    #expect(!followers.deliver(flip(41, 2)) && heard.all == [1])
  }

  @Test func `a released card has no followers`() {
    let followers = FlipFollowers()
    followers.add(Heard().follower, of: 41)
    followers.end()
    #expect(!followers.deliver(flip(41, 1)))
  }

  @Test func `a listener receives all flips and consumes none`() {
    let followers = FlipFollowers()
    let (heard, follower) = (Heard(), Heard())
    followers.listen { heard.add($0) }
    followers.add(follower.follower, of: 41)
    #expect(followers.deliver(flip(41, 1)) && !followers.deliver(flip(42, 2)))
    #expect(heard.all == [1, 2] && follower.all == [1])
  }
}
