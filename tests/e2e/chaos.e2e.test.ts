import { rm } from 'node:fs/promises';
import { expect, jest, test } from '@jest/globals';
import { reportOf, tableOf } from '../chaos/report.ts';
import { runChaos } from '../chaos/run.ts';

jest.setTimeout(900_000);

/** A busy machine takes longer than the 15 seconds that `./dev chaos` allows. */
const recoverySeconds = 60;

test('no execution is lost, duplicated, or stuck when faults of every kind are injected under load', async () => {
  const options = { seed: 7, durationMs: 30_000, rate: 10, log: () => undefined };

  const outcome = await runChaos(options);
  const report = reportOf(options, outcome);

  // The error contains the findings and the path of the logs, which are kept.
  if (Object.keys(report.examples).length > 0) throw new Error(`${tableOf(report)}\nThe logs are in ${outcome.home}`);
  expect(report.accepted).toBeGreaterThan(50);
  expect(report.steps.length).toBeGreaterThan(0);
  expect(report.longestRecovery).toBeLessThan(recoverySeconds);
  await rm(outcome.home, { recursive: true, force: true });
});
