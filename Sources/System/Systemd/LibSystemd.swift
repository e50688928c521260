import CSystemd

/// The functions of libsystemd; unusable unless `isLibraryLoaded`.
let sd = loaded.functions

/// Whether libsystemd is installed. It is loaded with the first call.
let isLibraryLoaded = loaded.isComplete

private let loaded = { () -> (functions: placard_systemd, isComplete: Bool) in
  var functions = placard_systemd()
  let isComplete = unsafe placard_systemd_load(&functions) != 0
  return (functions, isComplete)
}()
