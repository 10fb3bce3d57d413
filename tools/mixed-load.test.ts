import { expect, test } from '@jest/globals';
import { mixed } from './mixed-load.ts';

const files = (folder: string, ...durations: number[]) =>
  durations.map((duration, index) => ({ path: `/r/${folder}/${index}.test.ts`, duration }));
const waiting = files('tests/e2e', 50, 40, 30, 20);
const computing = files('packages/a/src', 45, 10, 9, 8);

/** Number of running files that mostly wait, at each start of a file. */
function waitingOf(order: typeof waiting, workers: number): number[] {
  const running = Array.from({ length: workers }, () => ({ until: 0, waits: 0 }));
  return order.map(({ path, duration }) => {
    const next = running.reduce((a, b) => (b.until < a.until ? b : a));
    next.until += duration;
    next.waits = path.includes('e2e') ? 1 : 0;
    return running.reduce((sum, { waits }) => sum + waits, 0);
  });
}

test('of three workers, one runs tests that need the CPU, and two run tests that wait', () => {
  const order = mixed([...computing, ...waiting], 3);
  expect(waitingOf(order, 3).slice(1)).toEqual([2, 2, 2, 2, 2, 2, 2]);
});

test.each([1, 2, 3, 8])('with %d workers, each file runs once, and files of the same kind keep their order', (workers) => {
  const order = mixed([...waiting, ...computing], workers);
  expect(order.filter((file) => waiting.includes(file))).toEqual(waiting);
  expect(order.filter((file) => computing.includes(file))).toEqual(computing);
});

test('the order includes files that have not run yet', () => {
  const unknown = [{ path: '/r/tests/browser/a.test.ts' }, { path: '/r/tools/b.test.ts' }, { path: '/r/tools/c.test.ts' }];
  expect(new Set(mixed(unknown, 3))).toEqual(new Set(unknown));
});
