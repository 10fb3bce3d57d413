import { cpus, totalmem } from 'node:os';
import { findFreePort } from '@sluice/embedded';
import { ceilingRate } from './ceiling.ts';
import { ExecutionBench, type ExecutionFigures } from './executions.ts';
import { startStack } from './stack.ts';
import { measureStartUp, type StartUpFigures } from './start-up.ts';
import { median, round } from './statistics.ts';

/*
 * The throughput of one worker process, beside the ceiling of its parts in the same run:
 *
 *   a  BullMQ jobs that do nothing
 *   b  the same with one insert and one update each, through a pg pool of 10
 *   c  executions: manual trigger → set, started by the API's own service, all data saved
 *
 * The three alternate, so that changes in the machine's speed affect all equally. Medians of all
 * rounds. `--quick` for a trial.
 */
const quick = process.argv.includes('--quick');
const rounds = quick ? 1 : 5;
const count = quick ? 1_000 : 10_000;
const concurrency = 50;

const stack = await startStack();
try {
  const progress = (text: string) => process.stderr.write(`bench: ${text}\n`);
  const executions = await ExecutionBench.start(stack, concurrency);
  await executions.measure(Math.min(count, 2_000)); // warm-up
  const a: number[] = [];
  const b: number[] = [];
  const c: ExecutionFigures[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    progress(`round ${round} of ${rounds}`);
    a.push(await ceilingRate(stack, count, concurrency, false));
    b.push(await ceilingRate(stack, count, concurrency, true));
    c.push(await executions.measure(count));
  }
  await executions.stop();

  progress('start-up and idle memory');
  const startUps: Record<'api' | 'worker', StartUpFigures[]> = { api: [], worker: [] };
  for (let round = 1; round <= rounds; round += 1) {
    for (const app of ['api', 'worker'] as const) startUps[app].push(await measureStartUp(app, stack, await findFreePort()));
  }

  const [noop, writes, ours] = [median(a), median(b), median(c.map((figures) => figures.rate))];
  const startUp = (figures: StartUpFigures[]) => ({
    readyMs: round(median(figures.map((f) => f.readyMs)), 0),
    idleRssMb: round(median(figures.map((f) => f.idleRssMb)), 1),
  });
  const report = {
    machine: { cpu: cpus()[0]?.model, cores: cpus().length, memoryGb: round(totalmem() / 2 ** 30, 0), node: process.version },
    rounds,
    perRound: count,
    concurrency,
    perSecond: { a: round(noop, 0), b: round(writes, 0), c: round(ours, 0) },
    ratios: { 'c/a': round(ours / noop, 3), 'c/b': round(ours / writes, 3) },
    cpuMsPerExecution: round(median(c.map((figures) => figures.cpuMs)), 3),
    api: startUp(startUps.api),
    worker: startUp(startUps.worker),
  };
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
} finally {
  await stack.stop();
}
process.exit(0);
