/// What became of the candidates of a ladder, a sentence each.
struct Attempts: Hashable, Sendable {
  private(set) var sentences: [String] = []
  private var areOld = false

  /// What is noted from here on is of another ladder. Until there is a note the old ones stand: who asks between two tries
  /// is told why the first one failed.
  mutating func begin() { areOld = true }

  mutating func note(_ sentence: String) {
    if areOld { sentences = [] }
    areOld = false
    sentences.append(sentence)
  }
}
