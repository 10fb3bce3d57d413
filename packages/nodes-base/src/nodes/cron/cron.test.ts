import { expect, test } from '@jest/globals';
import type { JsonObject, ScheduleTrigger } from '@sluice/node-sdk';
import { runForJson } from '../../testing/fake-context.ts';
import { triggerContext } from '../../testing/trigger-context.ts';
import { cron } from './cron.ts';

const specs = (...item: JsonObject[]) =>
  (cron.triggers?.(triggerContext({ parameters: { triggerTimes: { item } } })) ?? []) as ScheduleTrigger[];

test.each<[JsonObject, JsonObject]>([
  [{}, { every: 'days', count: 1, hour: 14, minute: 0 }],
  [{ mode: 'everyMinute' }, { every: 'minutes', count: 1 }],
  [
    { mode: 'everyHour', minute: 20 },
    { every: 'hours', count: 1, minute: 20 },
  ],
  [
    { mode: 'everyDay', hour: 8, minute: 5 },
    { every: 'days', count: 1, hour: 8, minute: 5 },
  ],
  [
    { mode: 'everyWeek', weekday: '0' },
    { every: 'weeks', count: 1, weekdays: [0], hour: 14, minute: 0 },
  ],
  [
    { mode: 'everyMonth', dayOfMonth: 31 },
    { every: 'months', count: 1, day: 31, hour: 14, minute: 0 },
  ],
  [
    { mode: 'everyX', unit: 'minutes', value: 10 },
    { every: 'minutes', count: 10 },
  ],
  [{ mode: 'everyX' }, { every: 'hours', count: 2, minute: 0 }],
  [{ mode: 'custom', cronExpression: '0 0 9 * * *' }, { cron: '0 0 9 * * *' }],
])('%j means %j', (entry, rule) => {
  expect(specs(entry)[0]?.rules).toEqual([rule]);
});

test('an unknown mode is refused; without times there is no trigger', () => {
  expect(() => specs({ mode: 'yearly' })).toThrow('"mode" must be a known mode, but is "yearly"');
  expect(specs()).toEqual([]);
});

test('returns one empty item', async () => {
  expect(await runForJson(cron, { json: [{ timestamp: '2026-11-20T07:30:00.000Z' }] })).toEqual([{}]);
});
