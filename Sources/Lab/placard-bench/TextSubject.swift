/// A kind of text that both sides render.
struct TextSubject {
  var name: String
  /// The text that is drawn repeatedly.
  var text: String
  /// The same text with one word changed.
  var changed: String
  /// The words that new texts consist of.
  fileprivate var words: [String]
  /// The approximate length of new texts, in Characters.
  fileprivate var count: Int
  fileprivate var hasParagraphs = false

  static let all = [
    TextSubject(
      name: "60 letters", text: banner, changed: swapped(banner), words: latin, count: 60),
    TextSubject(
      name: "600 letters", text: notice, changed: swapped(notice), words: latin, count: 600),
    TextSubject(
      name: "page of 3000", text: page, changed: swapped(page), words: latin, count: 3000, hasParagraphs: true),
    TextSubject(
      name: "mixed, 60", text: mixedBanner, changed: swapped(mixedBanner), words: mixed, count: 60),
    TextSubject(
      name: "mixed, 600", text: mixedNotice, changed: swapped(mixedNotice), words: mixed, count: 600),
  ]

  /// Returns a new text for each number.
  ///
  /// Its length is 0.7 to 1.3 times `count`, so that it is set at another font size.
  func new(_ number: Int) -> String {
    var random = UInt64(truncatingIfNeeded: number + 1) &* 0x9E37_79B9_7F4A_7C15
    func next(below limit: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((random >> 33) % UInt64(limit))
    }
    let goal = count * (70 + next(below: 61)) / 100
    var text = "\(number)"
    while text.count < goal {
      text += hasParagraphs && next(below: 50) == 0 ? "\n\n" : " "
      text += words[next(below: words.count)]
    }
    return text
  }

  /// Replaces one word without changing the font size, so that both sides can limit the repaint to a part.
  private static func swapped(_ text: String) -> String {
    var changed = text
    for (word, other) in [("front", "north"), ("north", "south")] {
      guard let place = text.firstRange(of: word) else { continue }
      changed.replaceSubrange(place, with: other)
      break
    }
    return changed
  }

  private static let banner = "Welcome to Building 4: sign in at the front desk, wear a badge"

  private static let notice = """
    The fire alarm will be tested on Tuesday between nine and ten in the morning. Nobody has to leave the building \
    while the bells ring, unless they go on for more than two minutes. Lifts stop at the ground floor during the test \
    and start again a little later. Visitors wait at the north desk until somebody comes for them; please tell them \
    why. If you hear the alarm at any other time, take the nearest stairs, close the doors behind you, and meet the \
    others on the car park across the street. Do not go back for your things. Questions go to the safety office in \
    room 217, any day before noon, or on the phone.
    """

  private static let page = """
    Guide for visitors

    \(Array(repeating: "\(lesson)\n\n", count: 3).joined())Where to go

    At the north desk you get a badge and a map. \(notice)

    \(lesson.prefix(600))
    """

  private static let lesson = """
    A sign is read by people who walk past it, and most of them look for two seconds. What they have to know first must \
    stand first. A short sentence is better than a long one, a number is better than a word for it, and a place is \
    better than a direction. Where somebody has to decide something, say what the choice is before you say why.

    Lines of forty to seventy letters are easy to follow. Longer ones lose the eye on its way back, shorter ones break \
    the sense. Leave room at the edges, since televisions cut it off, and since a text that touches its frame looks as \
    though it went on behind it.
    """

  private static let mixedBanner = "Welcome 欢迎光临 مرحبا بكم في المبنى 🎉 north desk ようこそ 受付 👋🏽 환영합니다"

  private static let mixedNotice = """
    🔔 The fire alarm is tested on Tuesday at 10:00. 火災報知器の試験を火曜日の午前十時に行います。建物の外に出る必要はありません。
    سيتم اختبار جهاز إنذار الحريق يوم الثلاثاء الساعة 10:00 صباحا. لا حاجة إلى مغادرة المبنى أثناء الاختبار.
    Visitors wait at the north desk until somebody comes for them, please 🙏. 访客请在前台等候，直到有人来接。电梯在测试期间停在一楼。
    화재 경보기 시험은 화요일 오전 열 시에 있습니다. 건물 밖으로 나갈 필요가 없습니다. 🧯🚒
    إذا سمعت الإنذار في أي وقت آخر فاستخدم أقرب درج وأغلق الأبواب خلفك 🚪 ولا تعد لأخذ أغراضك.
    それ以外のときに警報が鳴ったら、近くの階段を使い、通りの向かいの駐車場に集まってください。🅿️ Questions: room 217 📞 before noon. \
    如有疑问，请于中午前致电安全办公室。 أسئلة؟ اتصل بمكتب السلامة قبل الظهر. 질문은 정오 전에 안전 사무실로 🙂 thank you 👍🏾 谢谢 شكرا ありがとう
    """

  private static let latin = [
    "Quarterly", "review", "moved", "to", "room", "Jupiter", "bring", "your", "laptop", "and", "questions", "coffee",
    "is", "served", "at", "half", "past", "ten", "the", "garden", "door", "stays", "closed", "until", "Friday",
    "because", "of", "works", "on", "floor", "three", "please", "ask", "Kim", "Vogel", "for", "keys", "by", "noon",
  ]

  private static let mixed = [
    "Welcome", "会议", "مرحبا", "室内", "🎉", "الاجتماع", "受付", "Gate", "ようこそ", "الطابق", "三階", "👋🏽", "please", "환영합니다",
    "المبنى", "電梯", "room", "📞", "غدا", "停车场", "出口", "الساعة", "☕", "Friday", "安全", "شكرا", "階段", "🚪", "wait",
  ]
}
