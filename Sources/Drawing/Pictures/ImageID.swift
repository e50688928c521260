/// The identifier of an image in a cache, by content: a changed file gets another identifier.
package struct ImageID: Hashable, Sendable {
  let number: Int
}
