import { afterAll, expect, test } from '@jest/globals';
import { createSandbox } from '@sluice/sandbox';
import { graphOf, runGraph, testEngine } from './testing/run-graph.ts';
import { testType } from './testing/test-nodes.ts';

const sandbox = createSandbox({ timeoutMs: 60_000, memoryMb: 64, threads: 1 });
afterAll(() => sandbox.close());

const dated = testType('dated', (context) => [[{ json: { date: context.parameter('date', 0) ?? null } }]], {
  properties: [{ displayName: 'Date', name: 'date', type: 'string', default: '', keepsTimeZone: true }],
});

test.each([
  ['DateTime.fromISO("2024-02-28T09:00", { zone: "Asia/Tokyo" })', '2024-02-28T09:00:00.000+09:00[Asia/Tokyo]'],
  ['DateTime.fromISO("2024-02-28T09:00Z", { setZone: true })', '2024-02-28T09:00:00.000Z[UTC]'],
  ['DateTime.fromISO("2024-02-28T09:00Z").setZone("UTC+5:30")', '2024-02-28T14:30:00.000+05:30[UTC+5:30]'],
  ['DateTime.fromISO("2024-02-28T09:00Z").toUTC().setLocale("de")', '2024-02-28T09:00:00.000Z[UTC][_locale=de]'],
  ['DateTime.fromISO("soon")', 'Invalid DateTime'],
  ['DateTime.fromISO("2024-02-28T09:00Z").toUTC().toISO()', '2024-02-28T09:00:00.000Z'],
  ['1, DateTime.fromISO("soon") // twice', 'Invalid DateTime'],
  ['DateTime.now().nothing', null],
])('%s in a parameter that keeps the time zone is resolved to %s', async (source, date) => {
  const engine = { ...testEngine(), sandbox };
  engine.types.set('base.dated', dated);
  const nodes = { X: { type: 'dated', parameters: { date: `={{ ${source} }}` } } };
  expect((await runGraph(graphOf(['A -> X'], nodes), {}, engine)).json('X')).toEqual([{ date }]);
});
