import Lab

/// What QEMU's monitor shows. (The module and its class share the name Lab, so that `Lab.Picture` cannot be said.)
typealias WitnessPicture = Picture
typealias Sighting = Lab.Sighting
