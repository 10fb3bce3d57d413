import { describe, expect, test } from '@jest/globals';
import type { ScheduleRule } from '@sluice/domain';
import { longestBusy } from '@sluice/test-support';
import fc from 'fast-check';
import { lastTick, nextTick } from './next-tick.ts';

const berlin = 'Europe/Berlin';
const at = (hour: number, minute: number) => ({ hour, minute });

/** The next ticks after an instant, when the schedule also started, as local times in the zone. */
async function ticks(rules: ScheduleRule | ScheduleRule[], zone: string, from: string, count: number): Promise<string[]> {
  const since = Date.parse(from);
  const texts: string[] = [];
  for (let after = since; texts.length < count; ) {
    const next = await nextTick([rules].flat(), zone, { since, after });
    if (next === undefined) break;
    texts.push(shown(next, zone));
    after = next;
  }
  return texts;
}

function shown(instant: number, zone: string): string {
  const format = new Intl.DateTimeFormat('sv', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZoneName: undefined,
  });
  const offset = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts(instant).at(-1);
  return `${format.format(instant)} ${offset?.value}`;
}

describe('steps', () => {
  test.each<[string, ScheduleRule, string[]]>([
    ['seconds lie on the clock', { every: 'seconds', count: 30 }, ['10:20:30', '10:21:00', '10:21:30']],
    ['minutes too', { every: 'minutes', count: 15 }, ['10:30:00', '10:45:00', '11:00:00']],
    ['every hour, at a minute', { every: 'hours', count: 1, minute: 20 }, ['11:20:00', '12:20:00', '13:20:00']],
    ['some hours, from the first one on', { every: 'hours', count: 5, minute: 45 }, ['10:45:00', '15:45:00', '20:45:00']],
  ])('%s', async (_, rule, times) => {
    expect(await ticks(rule, 'UTC', '2026-11-20T10:20:00Z', 3)).toEqual(times.map((time) => `2026-11-20 ${time} GMT+0`));
  });

  test('minutes also follow the clock of a zone with a half-hour offset', async () => {
    expect(await ticks({ every: 'minutes', count: 60 }, 'Asia/Kolkata', '2026-11-20T10:00:00Z', 1)).toEqual([
      '2026-11-20 16:00:00 GMT+5:30',
    ]);
  });

  test.each<[string, ScheduleRule, string[]]>([
    ['days', { every: 'days', count: 1, ...at(9, 5) }, ['2026-11-21', '2026-11-22', '2026-11-23']],
    ['some days, from the first one on', { every: 'days', count: 3, ...at(9, 5) }, ['2026-11-21', '2026-11-24', '2026-11-27']],
    ['weekdays', { every: 'weeks', count: 1, weekdays: [1, 0], ...at(9, 5) }, ['2026-11-22', '2026-11-23', '2026-11-29']],
    // The first counted week contains the Sunday.
    [
      'every other week',
      { every: 'weeks', count: 2, weekdays: [0, 5], ...at(9, 5) },
      ['2026-11-22', '2026-12-04', '2026-12-06'],
    ],
    ['months', { every: 'months', count: 1, day: 31, ...at(9, 5) }, ['2026-11-30', '2026-12-31', '2027-01-31', '2027-02-28']],
    ['some months', { every: 'months', count: 5, day: 1, ...at(9, 5) }, ['2026-12-01', '2027-05-01', '2027-10-01']],
    ['a cron expression', { cron: '5 9 * * MON-FRI' }, ['2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27']],
    ['the last day of the month', { cron: '0 5 9 L * *' }, ['2026-11-30', '2026-12-31']],
    ['steps from a number', { cron: '5 9 25/3 * *' }, ['2026-11-25', '2026-11-28', '2026-12-25', '2026-12-28', '2026-12-31']],
  ])('%s', async (_, rule, days) => {
    expect(await ticks(rule, 'UTC', '2026-11-20T10:20:00Z', days.length)).toEqual(days.map((day) => `${day} 09:05:00 GMT+0`));
  });

  test('several rules due at once cause one tick', async () => {
    const rules: ScheduleRule[] = [{ every: 'minutes', count: 20 }, { cron: '0,10 * * * *' }];
    const minutes = (await ticks(rules, 'UTC', '2026-11-20T10:00:00Z', 4)).map((tick) => tick.slice(11, 16));
    expect(minutes).toEqual(['10:10', '10:20', '10:40', '11:00']);
  });
});

describe('when the clock is set forward', () => {
  const before = '2026-03-28T12:00:00Z';

  test.each<[string, ScheduleRule]>([
    ['a day', { every: 'days', count: 1, ...at(2, 30) }],
    ['a cron expression', { cron: '30 2 * * *' }],
  ])('%s whose time is left out comes once, after the gap', async (_, rule) => {
    expect(await ticks(rule, berlin, before, 3)).toEqual([
      '2026-03-29 03:00:00 GMT+2',
      '2026-03-30 02:30:00 GMT+2',
      '2026-03-31 02:30:00 GMT+2',
    ]);
  });

  test('many skipped times cause one tick', async () => {
    expect(await ticks({ cron: '*/10 2 * * *' }, berlin, before, 2)).toEqual([
      '2026-03-29 03:00:00 GMT+2',
      '2026-03-30 02:00:00 GMT+2',
    ]);
  });

  test.each<[string, ScheduleRule]>([
    ['an hour', { every: 'hours', count: 1, minute: 15 }],
    ['a cron expression for every hour', { cron: '15 * * * *' }],
  ])('%s is not made up for', async (_, rule) => {
    expect(await ticks(rule, berlin, '2026-03-29T00:00:00Z', 2)).toEqual([
      '2026-03-29 01:15:00 GMT+1',
      '2026-03-29 03:15:00 GMT+2',
    ]);
  });

  test('by half an hour, as on Lord Howe Island', async () => {
    expect(await ticks({ cron: '15 2 * * *' }, 'Australia/Lord_Howe', '2026-10-03T00:00:00Z', 2)).toEqual([
      '2026-10-04 02:30:00 GMT+11',
      '2026-10-05 02:15:00 GMT+11',
    ]);
  });

  test('at midnight, as in Cairo, a day still starts', async () => {
    expect(await ticks({ every: 'days', count: 1, ...at(0, 0) }, 'Africa/Cairo', '2026-04-23T10:00:00Z', 2)).toEqual([
      '2026-04-24 01:00:00 GMT+3',
      '2026-04-25 00:00:00 GMT+3',
    ]);
  });
});

describe('when the clock is set back', () => {
  const before = '2026-10-24T12:00:00Z';

  test.each<[string, ScheduleRule]>([
    ['a day', { every: 'days', count: 1, ...at(2, 30) }],
    ['a cron expression', { cron: '30 2 * * *' }],
  ])('%s whose time comes twice runs the first time alone', async (_, rule) => {
    expect(await ticks(rule, berlin, before, 2)).toEqual(['2026-10-25 02:30:00 GMT+2', '2026-10-26 02:30:00 GMT+1']);
  });

  test('a schedule that starts in the repeated hour waits for the next day', async () => {
    expect(await ticks({ cron: '30 2 * * *' }, berlin, '2026-10-25T01:10:00Z', 1)).toEqual(['2026-10-26 02:30:00 GMT+1']);
  });

  test.each<[string, ScheduleRule]>([
    ['minutes', { every: 'minutes', count: 30 }],
    ['a cron expression for every hour', { cron: '*/30 * * * *' }],
    ['a cron expression with steps of an hour', { cron: '0/30 0/1 * * *' }],
  ])('%s continue in the repeated hour', async (_, rule) => {
    const [first, ...rest] = await ticks(rule, berlin, '2026-10-25T00:10:00Z', 4);
    expect(first).toBe('2026-10-25 02:30:00 GMT+2');
    expect(rest).toEqual(['2026-10-25 02:00:00 GMT+1', '2026-10-25 02:30:00 GMT+1', '2026-10-25 03:00:00 GMT+1']);
  });
});

const zones = ['UTC', berlin, 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia', 'Africa/Casablanca'];
const hour = fc.nat(23);
const minute = fc.nat(59);
const count = fc.integer({ min: 1, max: 50 });
const aRule: fc.Arbitrary<ScheduleRule> = fc.oneof(
  fc.record({ every: fc.constantFrom('seconds', 'minutes'), count }),
  fc.record({ every: fc.constant('hours'), count, minute }),
  fc.record({ every: fc.constant('days'), count, hour, minute }),
  fc.record({ every: fc.constant('weeks'), count, weekdays: fc.array(fc.nat(6), { minLength: 1 }), hour, minute }),
  fc.record({ every: fc.constant('months'), count, day: fc.integer({ min: 1, max: 31 }), hour, minute }),
  fc.tuple(minute, hour).map(([m, h]) => ({ cron: `${m} ${h} * * *` })),
  minute.map((m) => ({ cron: `${m} * * * *` })),
  minute.map((m) => ({ cron: `${m} */2 * * *` })),
) as fc.Arbitrary<ScheduleRule>;
const anInstant = fc.integer({ min: Date.parse('2011-12-01T00:00:00Z'), max: Date.parse('2037-12-31T00:00:00Z') });

test('ticks strictly increase, and the next tick is the same from any instant before it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(aRule, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(...zones),
      anInstant,
      async (rules, zone, since) => {
        let after = since;
        for (let i = 0; i < 10; i += 1) {
          const next = (await nextTick(rules, zone, { since, after })) as number;
          expect(next).toBeGreaterThan(after);
          expect(await nextTick(rules, zone, { since, after: next - 1 })).toBe(next);
          expect(await nextTick(rules, zone, { since, after: Math.floor((after + next) / 2) })).toBe(next);
          after = next;
        }
      },
    ),
    { numRuns: 300 },
  );
});

describe('the last tick', () => {
  const rules: ScheduleRule[] = [{ every: 'minutes', count: 10 }];
  const [since, from] = [Date.parse('2026-11-20T09:00:00Z'), Date.parse('2026-11-20T09:10:00Z')];

  test.each([
    ['2026-11-20T09:19:59Z', '2026-11-20T09:10:00Z'],
    ['2026-11-20T09:20:00Z', '2026-11-20T09:20:00Z'],
    ['2026-11-20T12:34:56Z', '2026-11-20T12:30:00Z'],
    ['2027-11-20T12:34:56Z', '2027-11-20T12:30:00Z'],
  ])('up to %s is %s', async (until, last) => {
    expect(await lastTick(rules, 'UTC', { since, from, until: Date.parse(until) })).toBe(Date.parse(last));
  });
});

describe('costly rules', () => {
  // The library searches for their next time until the year 10,000, for three milliseconds each.
  const never = Array.from({ length: 99 }, (_, second): ScheduleRule => ({ cron: `${second % 60} 0 0 31 2,4,6,9,11 *` }));
  const rules: ScheduleRule[] = [...never, { every: 'minutes', count: 10 }];
  const [from, until] = [Date.parse('2026-11-20T09:10:00Z'), Date.parse('2026-12-20T09:15:00Z')];

  test('do not block the event loop', async () => {
    const results: unknown[] = [];
    const busy = await longestBusy(async () => {
      results.push(await nextTick(rules, 'UTC', { since: from, after: from }));
      results.push(await lastTick(rules, 'UTC', { since: from, from, until }));
    });
    expect(results).toEqual([Date.parse('2026-11-20T09:20:00Z'), Date.parse('2026-12-20T09:10:00Z')]);
    expect(busy).toBeLessThan(250);
  });
});

describe('invalid rules', () => {
  const next = (rule: ScheduleRule, zone = 'UTC') => nextTick([rule], zone, { since: 0, after: 0 });

  const starts = ['60/5 * * * *', '99/5 60/1 * * * *', '0 24/2 * * *', '0 0 32/1 * *', '0 0 1 13/1 *', '0 0 * * 1,8/1'];
  const others = ['', 'hello', '61 * * * *', '* * * *', '* * * * * * * *', '0 9 * * FOO', `${'0,'.repeat(200)}0 * * * *`];
  test.each([...starts, ...others])('the cron expression %j is refused, and named', async (cron) => {
    await expect(next({ cron })).rejects.toThrow(/^the cron expression "/);
  });

  test.each(['2026-11-20T09:00:00', '2026-11-20 09:00', ' 2026-11-20T09:00:00+01:00'])(
    'the date %j is no cron expression',
    async (cron) => {
      await expect(next({ cron })).rejects.toThrow('cannot be read: it is a date');
    },
  );

  test('a day that no month has is never due', async () => {
    expect(await next({ cron: '0 0 30 2 *' })).toBeUndefined();
  });

  test('a day after the year 9999 is never due', async () => {
    const after = Date.parse('2026-11-22T22:00:00Z');
    const months: ScheduleRule = { every: 'months', count: 1_000_000, day: 22, hour: 23, minute: 0 };
    const first = await nextTick([months], 'UTC', { since: after, after });
    expect(first).toBe(Date.parse('2026-11-22T23:00:00Z'));
    expect(await nextTick([months], 'UTC', { since: after, after: first as number })).toBeUndefined();
  });

  test('more than 100 rules are rejected', async () => {
    const rules = Array.from({ length: 101 }, (): ScheduleRule => ({ every: 'seconds', count: 1 }));
    await expect(nextTick(rules, 'UTC', { since: 0, after: 0 })).rejects.toThrow(
      'a schedule has at most 100 rules, but this one has 101',
    );
  });

  test('an unknown time zone is rejected', async () => {
    await expect(next({ cron: '* * * * *' }, 'Europe/Atlantis')).rejects.toThrow('unknown time zone "Europe/Atlantis"');
  });
});
