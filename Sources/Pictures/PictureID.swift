/// Names a picture of a shelf, as it was when it was loaded: the same file with other content has another name.
public struct PictureID: Hashable, Sendable {
  let number: Int
}
