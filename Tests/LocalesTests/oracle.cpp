// Prints numbers, dates and times in many languages by ICU's C++ classes, which the tests compare with Placard's formats.
//
// Each line has the kind (number or date), the language, the options, the value and the text, separated by tabs.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unicode/datefmt.h>
#include <unicode/locid.h>
#include <unicode/numberformatter.h>
#include <unicode/timezone.h>
#include <unicode/unistr.h>

using namespace icu;

static const char *const languages[] = {
    "ar", "ar-EG", "he", "de", "de-AT", "ja", "en", "en-GB", "en-IN", "fr", "fr-CH", "es", "pl", "ru", "cs", "fi", "tr",
    "hi", "bn", "th", "ko", "zh", "zh-Hant-TW", "fa", "sr-Latn-RS", "sl", "lt", "cy", "my", "ne"};
static const char *const numbers[] = {
    "0", "1", "2", "3", "5", "11", "21", "100", "-5", "21.5", "21.50", "-0.4", "1234.5", "1234567.891", "999999", "1e6"};
static const char *const number_options[] = {
    ".", ".0", ".00", ".#########", ". percent scale/100", ".0 percent", "integer-width/*00",
    "unit/day unit-width-full-name"};
static const char *const date_options[] = {"yMMMMEEEEd", "Hm", "Hms", "hm", "hms"};

static void print(const char *kind, const char *language, const char *options, const std::string &value,
                  const UnicodeString &text) {
  std::string bytes;
  text.toUTF8String(bytes);
  std::printf("%s\t%s\t%s\t%s\t%s\n", kind, language, options, value.c_str(), bytes.c_str());
}

int main(int count, char **arguments) {
  std::srand(count > 1 ? static_cast<unsigned>(std::strtoul(arguments[1], nullptr, 10)) : 0);
  for (const char *language : languages) {
    UErrorCode code = U_ZERO_ERROR;
    Locale locale = Locale::forLanguageTag(language, code);
    for (const char *options : number_options) {
      auto format = number::NumberFormatter::forSkeleton(options, code).locale(locale);
      for (const char *value : numbers) {
        UnicodeString text = format.formatDecimal(value, code).toString(code);
        if (U_FAILURE(code)) return 1;
        print("number", language, options, value, text);
      }
    }
    for (const char *options : date_options) {
      DateFormat *format = DateFormat::createInstanceForSkeleton(UnicodeString(options), locale, code);
      if (U_FAILURE(code)) return 1;
      format->adoptTimeZone(TimeZone::createTimeZone("Etc/UTC"));
      for (int place = 0; place < 40; place++) {
        long long second = static_cast<long long>(std::rand()) % 2200000000LL + (place % 2 ? 0 : 86400LL * 365 * 30);
        UnicodeString text;
        format->format(static_cast<UDate>(second) * 1000, text);
        print("date", language, options, std::to_string(second), text);
      }
      delete format;
    }
  }
  return 0;
}
