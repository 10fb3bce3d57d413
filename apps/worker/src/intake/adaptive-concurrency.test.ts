import { expect, test } from '@jest/globals';
import { adaptiveRange, type Load, nextLimit } from './adaptive-concurrency.ts';

const idle: Load = { running: 0, isFull: false, delayMs: 0, memory: 0.2, waiting: 0, waitingCalls: 0 };
const { min, initial, max } = adaptiveRange;

/** The limit after a number of adjustments under this load, with all slots in use. */
function after(steps: number, from: number, load: Partial<Load>): number {
  let limit = from;
  for (let i = 0; i < steps; i += 1) limit = nextLimit(limit, { ...idle, running: limit, isFull: true, ...load });
  return limit;
}

test('a worker whose executions only wait runs hundreds of them within a few seconds', () => {
  expect(after(20, min, {})).toBe(max);
});

test.each<[string, Partial<Load>]>([
  ['a slow event loop', { delayMs: 200 }],
  ['little memory', { memory: 0.9 }],
  ['statements that wait for a connection', { waiting: 20 }],
])('%s reduces the limit to its minimum', (_, load) => {
  expect(after(1, 100, load)).toBe(67);
  expect(after(20, max, load)).toBe(min);
});

test.each<[string, Partial<Load>]>([
  ['the event loop', { delayMs: 60 }],
  ['memory', { memory: 0.7 }],
  ['the database', { waiting: 4 }],
  ['the sandbox', { waitingCalls: 4 }],
])('a moderate load of %s does not change the limit', (_, load) => {
  expect(after(10, 100, load)).toBe(100);
});

test('an unused limit slowly returns to its initial value', () => {
  const unused = { running: 0, isFull: false };
  expect(after(1, 100, unused)).toBe(95);
  expect(after(200, 100, unused)).toBe(initial);
  expect(after(1, min, unused)).toBe(13);
  expect(after(200, min, unused)).toBe(initial);
});
