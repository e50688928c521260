import CLinux

/// One request over the service's socket and its answer, on this thread.
public enum FastExchange {
  /// How an exchange ends.
  public enum Outcome: Sendable {
    /// The answer, whole.
    case answered(FastReply)
    /// The service did not answer in time.
    case late
    /// Nothing can be said without the full program: nobody listens, or the connection broke.
    case failed
  }

  /// Sends a request and reads the answer.
  ///
  /// - Parameters:
  ///   - request: The bytes of the request.
  ///   - service: Where to send it and how long to wait.
  ///   - slow: Called once if there is no answer after half a second.
  /// - Returns: The answer, or why there is none.
  public static func run(_ request: [UInt8], _ service: FastService, slow: () -> Void) -> Outcome {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return .failed }
    defer { close(descriptor) }
    guard connect(descriptor, service.socket) else { return .failed }
    let start = now()
    var connection = Connection(descriptor: descriptor, slowAt: start + 500, lateAt: start + service.timeout)
    return connection.exchange(request, slow)
  }

  private static func connect(_ descriptor: Int32, _ path: [UInt8]) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.prefix(107)) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    return unsafe withUnsafeBytes(of: &address) { bytes in
      guard let start = unsafe bytes.bindMemory(to: sockaddr.self).baseAddress else { return false }
      return unsafe CLinux.connect(descriptor, start, length) == 0
    }
  }

  /// Milliseconds of CLOCK_MONOTONIC.
  private static func now() -> Int {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
  }

  private struct Connection {
    let descriptor: Int32
    /// When to call `slow`; nil if it was called.
    var slowAt: Int?
    let lateAt: Int

    mutating func exchange(_ request: [UInt8], _ slow: () -> Void) -> Outcome {
      var unsent = request[...]
      while !unsent.isEmpty {
        let count = unsafe unsent.withUnsafeBytes { bytes in
          unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
        if count > 0 {
          unsent = unsent.dropFirst(count)
        } else if placard_errno() != EINTR {
          guard placard_errno() == EAGAIN else { return .failed }
          guard wait(POLLOUT, slow) else { return .late }
        }
      }
      return answer(slow)
    }

    private mutating func answer(_ slow: () -> Void) -> Outcome {
      var reply = FastReply()
      var part = [UInt8](repeating: 0, count: 8192)
      while !reply.isComplete {
        guard wait(POLLIN, slow) else { return .late }
        let count = unsafe part.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        if count > 0 {
          reply.append(part.prefix(count))
          guard reply.bytes.count <= FastReply.limit else { return .failed }
        } else if count == 0 || placard_errno() != EINTR && placard_errno() != EAGAIN {
          return .failed
        }
      }
      return .answered(reply)
    }

    /// Waits until the socket is ready; false if it is too late.
    private mutating func wait(_ events: Int32, _ slow: () -> Void) -> Bool {
      while true {
        let moment = FastExchange.now()
        guard moment < lateAt else { return false }
        if let place = slowAt, place <= moment {
          slowAt = nil
          slow()
        }
        var ready = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        if unsafe poll(&ready, 1, Int32(min(slowAt ?? lateAt, lateAt) - moment)) > 0 { return true }
      }
    }
  }
}
