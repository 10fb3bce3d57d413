import { describe, expect, test } from '@jest/globals';
import { leastWithin, longestBusy } from '@sluice/test-support';
import { scope, useSandbox } from '../../tests/host-fixture.ts';
import { itemsOf, makeScope, never } from '../../tests/scope-fixture.ts';

const { sandbox, inHost, inGuest, expectBoth } = useSandbox();

describe('dates', () => {
  test.each([
    ['$now', '2026-03-29T00:30:00.000+01:00'],
    ['$today', '2026-03-29T00:00:00.000+01:00'],
    ['$now.plus({ hours: 2 }).toISO()', '2026-03-29T03:30:00.000+02:00'],
    ['$now.minus(7, "days").toFormat("yyyy-MM-dd")', '2026-03-22'],
    ['$today.startOf("month").toISODate() + " " + $now.endOf("weeks").toISOTime()', '2026-03-01 23:59:59.999+02:00'],
    [
      '$now.setZone("America/New_York").format("EEEE, d LLLL yyyy \'at\' h:mm a ZZ")',
      'Saturday, 28 March 2026 at 7:30 PM -04:00',
    ],
    ['$now.setZone("UTC")', '2026-03-28T23:30:00.000Z'],
    ['$now.toMillis() + $now.year + $now.weekday + $now.weekNumber + $now.ordinal', 1_774_740_600_000 + 2_026 + 7 + 13 + 88],
    ['$now.toSeconds() - $now.toUnixInteger()', 0],
    ['$now ? "yes" : "no"', 'yes'],
    ['DateTime.fromISO("2026-01-31").plus({ months: 1 })', '2026-02-28T00:00:00.000+01:00'],
    ['DateTime.fromISO("2026-10-25T02:30:00Z").toISO()', '2026-10-25T03:30:00.000+01:00'],
    ['DateTime.fromMillis($json.n).toString()', '1970-01-01T01:00:00.021+01:00'],
    ['DateTime.now().year > 2025', true],
    ['" 2026-05-01T10:00:00-03:00 ".toDateTime().hour', 10],
    ['"2026-W07-2".toDateTime().format("dd.MM.yy")', '10.02.26'],
  ])('%s is %j, in the host and in the guest', expectBoth);

  test('within text are written as in JSON', async () => {
    const text = '=At {{ $now }}, {{ $today }}.';
    const host = inHost(text, scope)?.get('p', 0);
    expect(host).toBe('At 2026-03-29T00:30:00.000+01:00, 2026-03-29T00:00:00.000+01:00.');
    expect((await inGuest(text, scope)).get('p', 0)).toBe(host);
  });

  test.each([
    ['that meet operators', '$now + 1'],
    ['that are compared', '$now > $today'],
    ['within lists', '[$now]'],
    ['within objects', '({ at: $now })'],
    ['as arguments', 'JSON.stringify($now)'],
    ['as arguments of dates', '$now.plus($today)'],
    ['as strings', 'String($now)'],
    ['whose method is not known', '$now.diffToNow("days")'],
    ['whose method is not a date method', '$now.trim()'],
    ['whose field is not known', '$now.zoneName'],
    ['whose field is a string field', '$now.length || 1'],
    ['with fractions of units', '$now.plus({ days: 0.5 })'],
    ['with unknown units', '$now.plus({ fortnights: 1 })'],
    ['far away', '$now.plus({ years: 9000 })'],
    ['beyond all years', '$now.plus({ years: 1e14 })'],
    ['moved by nothing', '$now.plus()'],
    ['in formats with localized words', '$now.toFormat("DDDD")'],
    ['in long formats', `$now.toFormat("${'yyyy '.repeat(30)}")`],
    ['in unclosed formats', '$now.toFormat("\'yyyy")'],
    ['in a locale', '$now.setLocale("de").toFormat("cccc")'],
    ['in unknown zones', '$now.setZone("Nowhere/Else")'],
    ['in zones with unusual names', '$now.setZone("utc+3")'],
    ['that are invalid', 'DateTime.fromISO("2026-02-30").isValid'],
    ['from text that is not a date', '$json.text.toDateTime()'],
    ['from numbers', '$json.n.toDateTime()'],
    ['from text with options', 'DateTime.fromISO("2026-01-01", { zone: "UTC" })'],
    ['whose field is read from another value', '$json.text.split("").year'],
  ])('%s are left to the guest', (_, source) => {
    expect(inHost(`={{ ${source} }}`, scope)).toBeUndefined();
  });

  test('of many zones and years never block the event loop', async () => {
    const names = Intl.supportedValuesOf('timeZone').filter((name) => name.includes('/'));
    const rows = Array.from({ length: 500 }, (_, i) => ({ zone: names[i % names.length] as string, ms: i * 1e11 }));
    const many = makeScope({ items: itemsOf(...rows) });
    const parameters = { p: '={{ DateTime.fromMillis($json.ms).setZone($json.zone).plus({ months: 7 }).toISO() }}' };
    expect(
      await leastWithin(100, () => longestBusy(() => sandbox.resolve(sandbox.compile(parameters), many, never))),
    ).toBeLessThan(100);
  });
});
