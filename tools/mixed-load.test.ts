import { expect, test } from '@jest/globals';
import { mixed } from './mixed-load.ts';

const files = (folder: string, ...durations: number[]) =>
  durations.map((duration, index) => ({ path: `/r/${folder}/${index}.test.ts`, duration }));
const waiting = files('tests/e2e', 50, 40, 30, 20);
const computing = files('packages/a/src', 45, 10, 9, 8);

/** At each start of a file: how many of the running files wait. */
function waitingOf(order: typeof waiting, workers: number): number[] {
  const running = Array.from({ length: workers }, () => ({ until: 0, waits: 0 }));
  return order.map(({ path, duration }) => {
    const next = running.reduce((a, b) => (b.until < a.until ? b : a));
    next.until += duration;
    next.waits = path.includes('e2e') ? 1 : 0;
    return running.reduce((sum, { waits }) => sum + waits, 0);
  });
}

test('a worker of three runs tests that need the processor, and two run tests that wait', () => {
  const order = mixed([...computing, ...waiting], 3);
  expect(waitingOf(order, 3).slice(1)).toEqual([2, 2, 2, 2, 2, 2, 2]);
});

test.each([1, 2, 3, 8])('each file runs once, and files of a kind keep their order, with %d workers', (workers) => {
  const order = mixed([...waiting, ...computing], workers);
  expect(order.filter((file) => waiting.includes(file))).toEqual(waiting);
  expect(order.filter((file) => computing.includes(file))).toEqual(computing);
});

test('files that have not run yet are in the order, too', () => {
  const unknown = [{ path: '/r/tests/browser/a.test.ts' }, { path: '/r/tools/b.test.ts' }, { path: '/r/tools/c.test.ts' }];
  expect(new Set(mixed(unknown, 3))).toEqual(new Set(unknown));
});
