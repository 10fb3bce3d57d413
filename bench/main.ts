import { cpus, totalmem } from 'node:os';
import { inspect, parseArgs } from 'node:util';
import { type Bench, type Figures, type Measurement, startBench } from './bench.ts';
import { measureCalls } from './calls.ts';
import { measureCeilings } from './ceiling.ts';
import { measureExecutions } from './executions.ts';
import { measureLatency } from './latency.ts';
import { measureListRequests } from './list-requests.ts';
import { measureQueued } from './queued.ts';
import { measureSetNodes } from './set-nodes.ts';
import { measureStartUp } from './start-up.ts';
import { measureStarts } from './starts.ts';
import { round } from './statistics.ts';
import { measureStops } from './stops.ts';
import { toMarkdown, toResults } from './targets.ts';
import { measureThroughput } from './throughput.ts';

/*
 * Measures all rows of `targets.ts` with one API process and one worker process. Prints the medians
 * and the spread of five rounds as a table to stderr and as JSON to stdout. Rates and their
 * ceilings alternate, so that changes in the machine's speed affect all equally.
 *
 * `--quick` makes a trial run with small numbers; `--only set,stops` selects measurements by the
 * names below.
 */
type Named = readonly [name: string, measurement: Measurement];
const rates: readonly Named[] = [
  ['executions', measureExecutions],
  ['set', measureThroughput('set')],
  ['sets', measureThroughput('sets')],
  ['code', measureThroughput('code')],
  ['merge', measureThroughput('merge')],
  ['queued', measureQueued],
  ['lists', measureListRequests],
];
const times: readonly Named[] = [
  ['latency', measureLatency],
  ['starts', measureStarts],
  ['stops', measureStops],
  ['calls', measureCalls],
  ['set-nodes', measureSetNodes],
  ['start-up', measureStartUp],
];

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } } });
const { quick } = options;
const names = [...rates, ...times].map(([name]) => name);
const chosen = options.only?.split(',') ?? names;
if (!chosen.every((name) => names.includes(name))) throw new Error(`--only must list names from ${names.join(', ')}`);
const select = (all: readonly Named[]) => all.filter(([name]) => chosen.includes(name));
const rounds = quick ? 1 : 5;
/** Values of all rounds. */
const figures = new Map<string, number[]>();

{
  await using resources = new AsyncDisposableStack();
  const bench = await startBench(quick, resources);
  const chosenRates = select(rates);
  if (chosenRates.length > 0) await measure(bench, [['ceilings', measureCeilings], ...chosenRates]);
  for (const measurement of select(times)) await measure(bench, [measurement]);
}
const machine = {
  cpu: cpus()[0]?.model,
  cores: cpus().length,
  memoryGb: round(totalmem() / 2 ** 30, 0),
  node: process.version,
};
const results = toResults(figures);
process.stderr.write(`\n${toMarkdown(results)}\n${quick ? '\nThis was a trial run: its results are not comparable.\n' : ''}`);
process.stdout.write(`${JSON.stringify({ machine, rounds, quick, results }, undefined, 2)}\n`);
process.exit();

/**
 * Runs the measurements in turn in each round. If one fails, its earlier rounds count and the
 * others continue.
 */
async function measure(bench: Bench, measurements: readonly Named[]): Promise<void> {
  const prepared = new Map<string, () => Promise<Figures>>();
  for (const [name, prepare] of measurements) {
    const measureRound = await unlessFailed(name, () => prepare(bench));
    if (measureRound) prepared.set(name, measureRound);
  }
  for (let i = 1; i <= rounds; i += 1) {
    const measured: Record<string, number> = {}; // if several measurements report the same figure, the last value counts
    for (const [name, measureRound] of prepared) {
      process.stderr.write(`bench: ${name}, round ${i} of ${rounds}\n`);
      const roundFigures = await unlessFailed(name, measureRound);
      if (roundFigures) Object.assign(measured, roundFigures);
      else prepared.delete(name);
    }
    for (const [figure, value] of Object.entries(measured)) figures.set(figure, [...(figures.get(figure) ?? []), value]);
  }
}

/** On failure, prints the error and resolves to `undefined`. */
async function unlessFailed<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`bench: ${name}: ${inspect(error)}\n`);
    return undefined;
  }
}
