// What is agreed on and not there yet. Each line goes when its implementation comes; the file goes with the last one.

extension ControlService {
  /// Not there yet.
  public func identify(_ request: IdentifyRequest) async throws(ControlError) -> [DisplayReport] { throw .pending }
  /// Not there yet.
  public func edit(_ session: Int, _ edit: SceneEdit) async throws(ControlError) -> SessionReport { throw .pending }
  /// Not there yet.
  public func board() async throws(ControlError) -> BoardReport { throw .pending }
  /// Not there yet.
  public func setBoard(_ edit: SceneEdit) async throws(ControlError) -> BoardReport { throw .pending }
  /// Not there yet.
  public func pictures() async throws(ControlError) -> [PictureReport] { throw .pending }
  /// Not there yet.
  public func picture(_ name: String) async throws(ControlError) -> [UInt8] { throw .pending }
  /// Not there yet.
  public func addPicture(_ bytes: [UInt8]) async throws(ControlError) -> PictureReport { throw .pending }
  /// Not there yet.
  public func removePicture(_ name: String) async throws(ControlError) { throw .pending }
  /// Not there yet.
  public func health() async throws(ControlError) -> HealthReport { throw .pending }
  /// Not there yet.
  public func virtualMonitors() async throws(ControlError) -> VirtualReport { throw .pending }
}

extension ControlError {
  fileprivate static var pending: ControlError { ControlError(.conflict, "This is not there yet.") }
}
