import { expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { runForJson } from '../../testing/fake-context.ts';
import { triggerContext } from '../../testing/trigger-context.ts';
import { interval } from './interval.ts';

const specs = (parameters: JsonObject) => interval.triggers?.(triggerContext({ parameters }));

test.each<[JsonObject, JsonObject]>([
  [{}, { every: 'seconds', count: 1 }],
  [
    { interval: 5, unit: 'minutes' },
    { every: 'minutes', count: 5 },
  ],
  [
    { interval: 2, unit: 'hours' },
    { every: 'hours', count: 2, minute: 0 },
  ],
])('%j means %j', (parameters, rule) => {
  expect(specs(parameters)).toEqual([expect.objectContaining({ kind: 'schedule', rules: [rule] })]);
});

test('an interval below one unit is refused', () => {
  expect(() => specs({ interval: 0.5 })).toThrow('"interval" must be a whole number');
});

test('returns one empty item', async () => {
  expect(await runForJson(interval)).toEqual([{}]);
});
