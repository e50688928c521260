"""An independent evaluation of display hours with zoneinfo, for HoursOracleTests.

Usage: oracle.py SEED SHARE

Prints a line `hours INDEX TEXT` for each rule set, and `case ZONE INDEX TIME OPEN NEXT` around each change of each
zone's offset from 2020 to 2040, for every SHARE-th zone. NEXT is the next change of OPEN, or 0 for none in nine days.

It also prints lines `plan ZONE TIME RULE NEXT RULES`. RULES are the rules of a schedule, separated by commas; each is
`INDEX/PRIORITY/FROM/UNTIL` with a rule set and local times, or `-` for no limit. RULE is the place of the rule that
applies, or -1, and NEXT is the first time in nine days at which another one does, or 0.
"""

import datetime
import random
import sys
import zoneinfo

# A rule set: its text, and rules of a predicate on the date and intervals in minutes.
SETS = [
    ("Mo-Fr 07:00-19:00", [(lambda d: d.weekday() < 5, [(420, 1140)])]),
    ("02:00-03:00", [(lambda d: True, [(120, 180)])]),
    ("02:30-02:45,23:45-00:15", [(lambda d: True, [(150, 165), (1425, 1455)])]),
    ("00:00-01:30", [(lambda d: True, [(0, 90)])]),
    ("Sa,Su 22:00-03:30", [(lambda d: d.weekday() >= 5, [(1320, 1650)])]),
    ("24/7; Su off", [(lambda d: True, [(0, 1440)]), (lambda d: d.weekday() == 6, [])]),
    ("Fr-Mo 01:00-02:15", [(lambda d: d.weekday() in (4, 5, 6, 0), [(60, 135)])]),
    ("00:00-24:00; Mar 20-Apr 10 03:00-04:00",
     [(lambda d: True, [(0, 1440)]), (lambda d: (3, 20) <= (d.month, d.day) <= (4, 10), [(180, 240)])]),
    ("Oct 15-Apr 05 06:00-20:00; Su 10:00-12:00",
     [(lambda d: (d.month, d.day) >= (10, 15) or (d.month, d.day) <= (4, 5), [(360, 1200)]),
      (lambda d: d.weekday() == 6, [(600, 720)])]),
    ("Mo-Su 23:00-01:00,02:15-02:30; 2026 Mar 29-2031 Oct 26 00:00-03:15",
     [(lambda d: True, [(1380, 1500), (135, 150)]),
      (lambda d: datetime.date(2026, 3, 29) <= d <= datetime.date(2031, 10, 26), [(0, 195)])]),
]
QUARTER = 900


def is_open(rules, zone, time, cache):
    """Returns whether a rule set is open at a Unix time."""
    local = datetime.datetime.fromtimestamp(time, zone)
    minute = local.hour * 60 + local.minute
    date = local.date()

    def intervals(date):
        if date not in cache:
            found = [spans for holds, spans in rules if holds(date)]
            cache[date] = found[-1] if found else []
        return cache[date]

    return any(start <= minute < end for start, end in intervals(date)) or any(
        start <= minute + 1440 < end for start, end in intervals(date - datetime.timedelta(days=1)))


def plan(source, zone, change):
    """Returns the rules of a schedule near a change: rule set, priority, start and end as local times."""
    def local():
        moment = datetime.datetime.fromtimestamp(change, zone) + datetime.timedelta(minutes=15 * source.randrange(-400, 400))
        return moment.replace(tzinfo=None) if source.random() < 0.3 else None
    return [(source.randrange(len(SETS)), source.choice([0, 0, 0, 5, -5]), local(), local())
            for _ in range(source.randrange(1, 6))]


def applying(rules, zone, time, caches):
    """Returns the place of the rule that applies at a Unix time, or -1."""
    best, rank = -1, None
    for place, (index, priority, start, end) in enumerate(rules):
        # fold=0 means the first of two equal times, and the offset before the change for a time that is skipped.
        if start and time < start.replace(tzinfo=zone).timestamp():
            continue
        if end and time >= end.replace(tzinfo=zone).timestamp():
            continue
        if (rank is None or priority > rank) and is_open(SETS[index][1], zone, time, caches.setdefault(index, {})):
            best, rank = place, priority
    return best


def changes(zone):
    """Yields the times from 2020 to 2040 at which the offset of a zone changes."""
    def offset(time):
        return datetime.datetime.fromtimestamp(time, zone).utcoffset()

    time, end = 1577836800, 2208988800
    while time < end:
        later = time + 7 * 86400
        if offset(time) != offset(later):
            low, high = time, later
            while high - low > QUARTER:
                middle = (low + high) // 2 // QUARTER * QUARTER
                if offset(middle) == offset(low):
                    low = middle
                else:
                    high = middle
            yield high
        time = later


def main():
    seed, share = int(sys.argv[1]), int(sys.argv[2])
    source = random.Random(seed)
    for index, (text, _) in enumerate(SETS):
        print("hours", index, text)
    names = sorted(zoneinfo.available_timezones())
    # These two are not in the tz database itself.
    names = [name for name in names if not name.startswith(("posix", "right")) and name != "localtime"]
    for place, name in enumerate(names):
        if (place + seed) % share != 0:
            continue
        zone = zoneinfo.ZoneInfo(name)
        for change in changes(zone):
            for index in source.sample(range(len(SETS)), 4):
                rules, cache = SETS[index][1], {}
                time = change + source.randrange(-160, 60) * QUARTER
                now = is_open(rules, zone, time, cache)
                later = next(
                    (time + step * QUARTER for step in range(1, 9 * 96)
                     if is_open(rules, zone, time + step * QUARTER, cache) != now), 0)
                print("case", name, index, time, int(now), later)
            rules, caches = plan(source, zone, change), {}
            time = change + source.randrange(-160, 60) * QUARTER
            now = applying(rules, zone, time, caches)
            later = next(
                (time + step * QUARTER for step in range(1, 9 * 96)
                 if applying(rules, zone, time + step * QUARTER, caches) != now), 0)
            words = ",".join("/".join([str(index), str(priority), *(moment.isoformat() if moment else "-"
                                                                     for moment in (start, end))])
                             for index, priority, start, end in rules)
            print("plan", name, time, now, later, words)


main()
