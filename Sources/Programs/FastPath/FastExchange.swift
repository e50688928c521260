import CLinux

/// An exchange of one request and its answer over the service's socket, on the calling thread.
package enum FastExchange {
  /// The result of an exchange.
  package enum Outcome: Sendable {
    /// The complete answer.
    case answered(FastReply)
    /// The service did not answer in time.
    case late
    /// No usable answer arrived, for example because nothing listens or the connection broke.
    ///
    /// The full program then repeats the request and reports the error.
    case failed
  }

  /// Sends a request and reads the answer.
  ///
  /// - Parameters:
  ///   - request: The bytes of the HTTP request.
  ///   - service: The service's socket and the time limit.
  ///   - slow: Called at most once, after half a second without an answer.
  /// - Returns: The answer, or the kind of failure.
  package static func run(_ request: [UInt8], _ service: FastService, slow: () -> Void) -> Outcome {
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

  /// Returns the milliseconds of CLOCK_MONOTONIC.
  private static func now() -> Int {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
  }

  private struct Connection {
    let descriptor: Int32
    /// The time at which to call `slow`; nil after that call.
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

    /// Waits until the socket is ready; returns false at the time limit.
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
