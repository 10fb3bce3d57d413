import { expect, test } from '@jest/globals';
import { ownVersion } from '../own-version.ts';
import { createLoadMeter } from './load-meter.ts';

test('the load covers the time since the previous report', async () => {
  const load = createLoadMeter({ active: () => 3, capacity: () => 10 });
  expect(load()).toMatchObject({ active: 3, capacity: 10, loopLagMs: 0 });
  await new Promise((resolve) => setTimeout(resolve, 50));
  const until = performance.now() + 300;
  while (performance.now() < until) Math.sqrt(until); // keeps the event loop busy
  await new Promise((resolve) => setTimeout(resolve, 30));
  const { loopLagMs, memoryBytes, memoryLimitBytes } = load();
  expect(loopLagMs).toBeGreaterThan(100);
  expect(memoryBytes).toBeGreaterThan(10_000_000);
  expect(memoryLimitBytes).toBeGreaterThan(memoryBytes / 100);
});

test('the version is the version of the package', () => {
  expect(ownVersion()).toMatch(/^\d+\.\d+\.\d+/);
});
