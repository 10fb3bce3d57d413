import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { endChild, track } from './children.ts';
import { Fleet } from './fleet.ts';
import { activateResponding, timeRequests } from './latency.ts';
import { startStack } from './stack.ts';
import { percentile, round } from './statistics.ts';

/*
 * Milliseconds from a webhook request to the end of its response, over keep-alive connections, for
 * webhook → set with three response modes: immediate, when the last node has ended, and by a
 * Respond to Webhook node; and for the second mode also with an expression that must be evaluated
 * in a guest. One API process and one worker process; all data is saved. The baseline is a bare
 * Express route that commits one row. The targets alternate every few requests, so that changes in
 * the machine's speed affect all equally. Each turn waits until all executions of the previous turn
 * have ended, because immediate responses do not wait for them. `--quick` makes a trial run with
 * small numbers.
 */
const quick = process.argv.includes('--quick');
const rounds = quick ? 6 : 30;
const callsPerTurn = 100;
const modes = ['onReceived', 'lastNode', 'responseNode'];
const inGuest = 'lastNodeInGuest';

const stack = await startStack();
const fleet = await Fleet.start(stack, { workers: 1 });
const bare = track(fork(new URL('./bare-insert.ts', import.meta.url), [stack.databaseUrl]));
try {
  const [barePort] = (await once(bare, 'message')) as [number];
  for (const mode of modes) await activateResponding(fleet, { path: mode, mode, twice: '$json.body.n * 2' });
  await activateResponding(fleet, { path: inGuest, mode: 'lastNode', twice: '$json.body.n.round() * 2' });
  const targets: Target[] = [
    { name: 'bare', port: barePort, path: '/bare' },
    ...[...modes, inGuest].map((name) => ({ name, port: fleet.port, path: `/webhook/${name}` })),
  ];
  const report: Record<string, object> = {};
  for (const connections of [1, 10]) report[`connections${connections}`] = await measure(targets, connections);
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
  process.stdout.write(`${JSON.stringify({ machine, calls: rounds * callsPerTurn, ...report }, undefined, 2)}\n`);
} finally {
  await Promise.all([endChild(bare), fleet.stop()]);
  await stack.stop();
}
process.exit(0);

interface Target {
  name: string;
  port: number;
  path: string;
}

/** Milliseconds for each target, and their ratio to the bare route. */
async function measure(targets: readonly Target[], connections: number): Promise<object> {
  const durations = new Map(targets.map(({ name }) => [name, [] as number[]]));
  for (const target of targets) for (let i = 0; i < 3; i += 1) await turn(target, connections); // warm-up
  for (let i = 0; i < rounds; i += 1)
    for (const target of targets) durations.get(target.name)?.push(...(await turn(target, connections)));
  const floor = percentile(durations.get('bare') ?? [], 0.5);
  return Object.fromEntries([...durations].map(([name, times]) => [name, figures(times, floor)]));
}

async function turn(target: Target, connections: number): Promise<number[]> {
  const durations = await timeRequests(target, connections, callsPerTurn);
  await fleet.allEnded(10);
  return durations;
}

function figures(durations: readonly number[], floor: number): object {
  const p50 = percentile(durations, 0.5);
  return { p50: round(p50), p99: round(percentile(durations, 0.99)), 'p50/bare': round(p50 / floor) };
}
