import { describe, expect, test } from '@jest/globals';
import type { JsonObject, ScheduleTrigger } from '@sluice/node-sdk';
import { runForJson } from '../../testing/fake-context.ts';
import { type FakeActivation, triggerContext } from '../../testing/trigger-context.ts';
import { example } from './example.ts';
import { scheduleTrigger } from './schedule-trigger.ts';

const specs = (run: FakeActivation) => (scheduleTrigger.triggers?.(triggerContext(run)) ?? []) as ScheduleTrigger[];
const rulesOf = (...interval: JsonObject[]) => specs({ parameters: { rule: { interval } } })[0]?.rules;

describe('rules', () => {
  test.each<[JsonObject, JsonObject]>([
    [{}, { every: 'days', count: 1, hour: 0, minute: 0 }],
    [{ field: 'seconds' }, { every: 'seconds', count: 30 }],
    [
      { field: 'minutes', minutesInterval: 10 },
      { every: 'minutes', count: 10 },
    ],
    [
      { field: 'hours', hoursInterval: 2, triggerAtMinute: 15 },
      { every: 'hours', count: 2, minute: 15 },
    ],
    [
      { field: 'days', daysInterval: '3', triggerAtHour: 8 },
      { every: 'days', count: 3, hour: 8, minute: 0 },
    ],
    [
      { field: 'weeks', triggerAtDay: [1, 0], triggerAtHour: 8, triggerAtMinute: 30 },
      { every: 'weeks', count: 1, weekdays: [1, 0], hour: 8, minute: 30 },
    ],
    [{ field: 'weeks' }, { every: 'weeks', count: 1, weekdays: [0], hour: 0, minute: 0 }],
    [
      { field: 'months', triggerAtDayOfMonth: 15 },
      { every: 'months', count: 1, day: 15, hour: 0, minute: 0 },
    ],
    [{ field: 'cronExpression', expression: ' 0 9 * * 1-5 ' }, { cron: '0 9 * * 1-5' }],
  ])('%j means %j', (entry, rule) => {
    expect(rulesOf(entry)).toEqual([rule]);
  });

  test('form one trigger together; by default the node fires once a day, and with an empty list never', () => {
    expect(rulesOf({ field: 'seconds' }, { field: 'minutes' })).toHaveLength(2);
    expect(specs({})[0]?.rules).toEqual([{ every: 'days', count: 1, hour: 0, minute: 0 }]);
    expect(specs({ parameters: { rule: { interval: [] } } })).toEqual([]);
  });

  test.each<[JsonObject, string]>([
    [{ field: 'fortnights' }, '"field" must be a known interval, but is the text "fortnights"'],
    [
      { field: 'seconds', secondsInterval: 0 },
      '"secondsInterval" must be a whole number from 1 to 1000000, but is the number 0',
    ],
    [{ field: 'minutes', minutesInterval: 1.5 }, '"minutesInterval"'],
    [{ field: 'days', triggerAtHour: 24 }, '"triggerAtHour" must be a whole number from 0 to 23'],
    [{ field: 'weeks', triggerAtDay: [7] }, '"triggerAtDay" must be a whole number from 0 to 6'],
    [{ field: 'cronExpression' }, '"expression" must be a cron expression, but is nothing'],
  ])('%j is refused', (entry, message) => {
    expect(() => rulesOf(entry)).toThrow(message);
  });
});

describe('policies', () => {
  const [skipped, once] = [{ misfire: 'skip' }, { misfire: 'once' }];

  test.each<[string, FakeActivation, object]>([
    ['are lenient by default', {}, { misfire: 'skip', overlap: 'allow', graceMs: 60_000 }],
    [
      'come from the node from 1.4 on',
      { typeVersion: 1.4, parameters: { misfirePolicy: 'coalesce', misfireGraceSeconds: 5 } },
      { ...once, graceMs: 5_000 },
    ],
    ['do not come from the node before 1.4', { typeVersion: 1.3, parameters: { misfirePolicy: 'coalesce' } }, skipped],
    [
      'come from the workflow if the node has no policies',
      { typeVersion: 1.4, settings: { misfirePolicy: 'once', overlapPolicy: 'queue' } },
      { ...once, overlap: 'queue' },
    ],
    [
      'of the node take precedence',
      {
        typeVersion: 1.4,
        parameters: { misfirePolicy: 'skip', overlapPolicy: 'skip' },
        settings: { misfirePolicy: 'once', overlapPolicy: 'queue' },
      },
      { ...skipped, overlap: 'skip' },
    ],
  ])('%s', (_, run, policies) => {
    expect(specs(run)[0]).toMatchObject(policies);
  });

  test('that are unknown are refused', () => {
    expect(() => specs({ settings: { overlapPolicy: 'never' } })).toThrow(
      'the workflow\'s setting "overlapPolicy" must be one of',
    );
  });

  test('the time zone is the workflow’s, if it has one', () => {
    expect(specs({ settings: { timezone: 'Asia/Tokyo' } })[0]).toMatchObject({ timezone: 'Asia/Tokyo' });
    expect(specs({ settings: { timezone: 'DEFAULT' } })[0]).not.toHaveProperty('timezone');
  });
});

describe('the item', () => {
  test('contains the tick’s time in the workflow’s time zone', async () => {
    const run = { json: [{ timestamp: '2026-11-20T07:30:00.000Z' }], timezone: 'Europe/Berlin' };
    expect(await runForJson(scheduleTrigger, run)).toEqual(example.outputs?.[0]);
  });

  test.each([
    ['2026-12-01', 'December 1st 2026, 12:00:00 am'],
    ['2026-12-02', 'December 2nd 2026, 12:00:00 am'],
    ['2026-12-11', 'December 11th 2026, 12:00:00 am'],
    ['2026-12-23', 'December 23rd 2026, 12:00:00 am'],
  ])('of %s reads %s', async (timestamp, text) => {
    expect(await runForJson(scheduleTrigger, { json: [{ timestamp }] })).toEqual([
      expect.objectContaining({ 'Readable date': text }),
    ]);
  });

  test('contains the current time in a manual run', async () => {
    const [json] = await runForJson(scheduleTrigger);
    expect(Math.abs(Date.now() - Date.parse(String(json?.['timestamp'])))).toBeLessThan(60_000);
  });
});
