/// The results of the modes that were tried last, a sentence each.
package struct Attempts: Hashable, Sendable {
  /// The sentences, oldest first.
  package private(set) var sentences: [String] = []
  private var areOld = false

  /// Creates an empty list.
  package init() {}

  /// Begins the results of other modes. The old ones stay until there is a new one: a person who asks between two
  /// attempts is to see why the first one failed.
  package mutating func begin() { areOld = true }

  /// Adds a result.
  ///
  /// - Parameter sentence: The mode and its result.
  package mutating func note(_ sentence: String) {
    if areOld { sentences = [] }
    areOld = false
    sentences.append(sentence)
  }
}
