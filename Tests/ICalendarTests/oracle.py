"""Prints iCalendar files, and when dateutil and zoneinfo say that their events take place.

Arguments: the seed, and the number of files. Each file is a line `file LINES`, with | between its lines, followed by a
line `window START END` and lines `event START END`, in Unix time, of all times that begin in the window.
"""

import datetime
import random
import sys
import zoneinfo

from dateutil import rrule

seed, count = int(sys.argv[1]), int(sys.argv[2])
random = random.Random(seed)
zones = sorted(name for name in zoneinfo.available_timezones() if "/" in name and not name.startswith(("posix", "right")))
days = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
UTC = datetime.timezone.utc


def instant(local, zone):
    """The Unix time of a local time: of two the first one, and for none that with the offset before the change."""
    moment = local.replace(tzinfo=zone, fold=0)
    return int((moment - datetime.datetime(1970, 1, 1, tzinfo=UTC)).total_seconds())


def rule(start):
    """A random rule, as text and as dateutil's object."""
    kind = random.choice(["HOURLY", "DAILY", "DAILY", "WEEKLY", "WEEKLY", "WEEKLY", "MONTHLY", "MONTHLY", "YEARLY"])
    parts = [f"FREQ={kind}"]
    if random.random() < 0.4:
        parts.append(f"INTERVAL={random.randint(1, 30 if kind == 'HOURLY' else 5)}")
    if kind == "WEEKLY" and random.random() < 0.8:
        parts.append("BYDAY=" + ",".join(random.sample(days, random.randint(1, 5))))
        if random.random() < 0.3:
            parts.append("WKST=" + random.choice(["MO", "SU"]))
        elif random.random() < 0.1:
            parts.append("BYMONTH=" + ",".join(str(n) for n in sorted(random.sample(range(1, 13), 3))))
        elif random.random() < 0.1:
            parts.append("BYHOUR=" + ",".join(str(n) for n in sorted(random.sample(range(24), 2))))
    elif kind == "DAILY" and random.random() < 0.4:
        choice = random.random()
        if choice < 0.4:
            parts.append("BYDAY=" + ",".join(random.sample(days, random.randint(1, 5))))
        elif choice < 0.7:
            parts.append("BYMONTH=" + ",".join(str(n) for n in sorted(random.sample(range(1, 13), 3))))
        else:
            parts.append("BYHOUR=" + ",".join(str(n) for n in sorted(random.sample(range(24), 2))))
    elif kind == "MONTHLY":
        choice = random.random()
        if choice < 0.3:
            parts.append("BYMONTHDAY=" + ",".join(str(n) for n in random.sample([1, 5, 15, 28, 29, 30, 31, -1, -2], 2)))
        elif choice < 0.6:
            parts.append(f"BYDAY={random.choice([1, 2, 3, 4, 5, -1, -2])}{random.choice(days)}")
        elif choice < 0.8:
            parts.append("BYDAY=" + ",".join(random.sample(days, 5)))
            parts.append(f"BYSETPOS={random.choice([1, 2, -1])}")
        elif choice < 0.9:
            parts.append("BYMONTHDAY=13,14,15")
            parts.append("BYDAY=" + ",".join(random.sample(days, 3)))
        else:
            parts.append("BYMONTH=" + ",".join(str(n) for n in sorted(random.sample(range(1, 13), 3))))
            parts.append("BYDAY=1" + random.choice(days) + ",-1" + random.choice(days))
    elif kind == "YEARLY":
        choice = random.random()
        if choice < 0.3:
            parts.append(f"BYMONTH={random.randint(1, 12)}")
            parts.append(f"BYDAY={random.choice([1, 2, -1])}{random.choice(days)}")
        elif choice < 0.5:
            parts.append(f"BYYEARDAY={random.choice([1, 60, 200, 366, -1])}")
        elif choice < 0.6:
            parts.append("BYMONTH=" + ",".join(str(n) for n in sorted(random.sample(range(1, 13), 2))))
            parts.append("BYMONTHDAY=" + ",".join(str(n) for n in random.sample([1, 13, 28, 31, -1], 2)))
        elif choice < 0.7:
            parts.append("BYDAY=" + ",".join(random.sample(days, 2)))
            parts.append(f"BYSETPOS={random.choice([1, 3, -1])}")
        elif choice < 0.8:
            parts.append("BYMONTH=" + ",".join(str(n) for n in sorted(random.sample(range(1, 13), 3))))
            parts.append("BYDAY=" + ",".join(random.sample(days, 2)))
    ending = random.random()
    if ending < 0.3:
        parts.append(f"COUNT={random.randint(1, 400)}")
    elif ending < 0.5:
        parts.append("UNTIL=" + (start + datetime.timedelta(days=random.randint(1, 1500))).strftime("%Y%m%dT%H%M%S"))
    return ";".join(parts)


def main():
    for _ in range(count):
        name = random.choice(zones)
        zone = zoneinfo.ZoneInfo(name)
        start = datetime.datetime(2018, 1, 1) + datetime.timedelta(minutes=15 * random.randrange(4 * 24 * 365 * 15))
        is_date = random.random() < 0.2
        if is_date:
            start = start.replace(hour=0, minute=0)
        text = rule(start)
        if is_date:
            text = text.split(";BYHOUR")[0] if "FREQ=HOURLY" not in text else "FREQ=DAILY"
        times = list(rrule.rrulestr(text, dtstart=start, ignoretz=True).between(
            start, start + datetime.timedelta(days=900), inc=True))[:3000]
        if not times:
            continue
        except_ = random.sample(times, min(len(times), random.choice([0, 0, 1, 3])))
        also = [start + datetime.timedelta(hours=random.randrange(24 * 300)) for _ in range(random.choice([0, 0, 0, 2]))]
        also = [time for time in also if time not in except_]
        if is_date:
            also = []
        minutes = 1440 * random.randint(1, 3) if is_date else random.choice([15, 30, 60, 90, 600, 1500])
        # The original of a moved time, and its new start.
        rest = [time for time in times if time not in except_ and time not in also]
        moved = random.sample(rest, 1) if rest and not is_date and random.random() < 0.3 else []
        shown = sorted(set(times + also) - set(except_) - set(moved))

        def stamp(key, time):
            if is_date:
                return f"{key};VALUE=DATE:{time:%Y%m%d}"
            return f"{key};TZID={name}:{time:%Y%m%dT%H%M%S}"

        # RFC 5545: UNTIL is in UTC if the start has a zone.
        body = []
        for part in text.split(";"):
            if part.startswith("UNTIL=") and is_date:
                part = part[:14]
            elif part.startswith("UNTIL="):
                local = datetime.datetime.strptime(part[6:], "%Y%m%dT%H%M%S")
                part = "UNTIL=" + datetime.datetime.fromtimestamp(instant(local, zone), UTC).strftime("%Y%m%dT%H%M%SZ")
            body.append(part)
        end = start + datetime.timedelta(minutes=minutes)
        # The start is in an hour that the clocks skip: the event would end before it starts, which is refused.
        if instant(end, zone) < instant(start, zone):
            continue
        lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN", "BEGIN:VEVENT", "UID:one", "SUMMARY:one",
                 stamp("DTSTART", start), stamp("DTEND", end), "RRULE:" + ";".join(body)]
        lines += [stamp("EXDATE", time) for time in except_] + [stamp("RDATE", time) for time in also] + ["END:VEVENT"]
        for time in moved:
            lines += ["BEGIN:VEVENT", "UID:one", "SUMMARY:moved", stamp("RECURRENCE-ID", time),
                      stamp("DTSTART", time + datetime.timedelta(minutes=7)),
                      stamp("DTEND", time + datetime.timedelta(minutes=8)), "END:VEVENT"]
        lines += ["END:VCALENDAR", ""]
        first = start + datetime.timedelta(days=random.randint(-5, 500))
        window = instant(first, zone), instant(min(first + datetime.timedelta(days=60), times[-1] if len(times) == 3000
                                                   else datetime.datetime.max), zone)
        if window[1] <= window[0] or window[1] > instant(start + datetime.timedelta(days=890), zone):
            window = window[0], instant(start + datetime.timedelta(days=890), zone)
        if len(times) == 3000:
            window = window[0], min(window[1], instant(times[-1], zone))
        if window[1] <= window[0]:
            continue
        print("file " + "|".join(lines))
        print(f"window {window[0]} {window[1]} {text} {name} {start}")
        length = instant(end, zone) - instant(start, zone)
        for time in sorted({instant(time, zone): time for time in shown}.values()):
            begin = instant(time, zone)
            over = instant(time + datetime.timedelta(minutes=minutes), zone) if is_date else begin + length
            if window[0] <= begin < window[1] and over > begin:
                print(f"event {begin} {over}")


main()
