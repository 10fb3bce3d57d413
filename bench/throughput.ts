import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { ceilingRate, endChild } from './ceiling.ts';
import { Fleet } from './fleet.ts';
import { load, loadTarget } from './http-load.ts';
import { cpuMsOfAll, rssMb } from './processes.ts';
import { startStack } from './stack.ts';
import { median, round } from './statistics.ts';
import { throughputCases } from './throughput-cases.ts';

/*
 * Executions per second of small workflows at default settings: one API process and one worker
 * process, started by webhook requests over 50 connections, from the first request to the last end,
 * all data saved. Beside them, in the same rounds:
 *
 *   b  BullMQ jobs with one insert and one update each
 *   d  requests to bare Express
 *
 * `--quick` for a trial, `--only set,code` for some cases.
 */
const quick = process.argv.includes('--quick');
const only = process.argv[process.argv.indexOf('--only') + 1]?.split(',');
const isChosen = (name: string) => !process.argv.includes('--only') || only?.includes(name);
const rounds = quick ? 2 : 5;
const count = quick ? 1_500 : 6_000;
const connections = 50;

interface Figures {
  rate: number;
  cpuMs: number;
}

const stack = await startStack();
const fleet = await Fleet.start(stack, { workers: 1 });
const bare = fork(new URL('./bare-express.ts', import.meta.url));
try {
  bare.send('{"data":[]}');
  const [barePort] = (await once(bare, 'message')) as [number];
  const names = Object.keys(throughputCases).filter(isChosen);
  for (const name of names) await fleet.activate({ name, settings: {}, ...throughputCases[name] });
  const b: number[] = [];
  const d: number[] = [];
  const figures = new Map(names.map((name) => [name, [] as Figures[]]));
  for (const name of names) await measure(name, count / 3); // warm-up
  for (let i = 1; i <= rounds; i += 1) {
    process.stderr.write(`bench: round ${i} of ${rounds}\n`);
    b.push(await ceilingRate(stack, count, connections, true));
    d.push(count / (await load(loadTarget(barePort, 'GET', '/api/v1/executions', {}), count, connections)));
    for (const name of names) figures.get(name)?.push(await measure(name, count));
  }
  const [ceiling, express] = [median(b), median(d)];
  const report = Object.fromEntries([...figures].map(([name, all]) => [name, summary(all, ceiling)]));
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
  const workerRssMb = round(rssMb(fleet.workers[0]?.pid ?? 0), 0);
  process.stdout.write(
    `${JSON.stringify({ machine, rounds, perRound: count, b: round(ceiling, 0), d: round(express, 0), workerRssMb, ...report }, undefined, 2)}\n`,
  );
} finally {
  await Promise.all([endChild(bare), fleet.stop()]);
  await stack.stop();
}
process.exit(0);

async function measure(name: string, requests: number): Promise<Figures> {
  const cpuBefore = cpuMsOfAll();
  const beganAt = performance.now();
  const accepted = await load(loadTarget(fleet.port, 'POST', `/webhook/${name}`, { body: { n: 21 } }), requests, connections);
  await fleet.allEnded(20);
  const seconds = (performance.now() - beganAt) / 1_000;
  process.stderr.write(`  ${name}: accepted ${round(requests / accepted, 0)}/s, done ${round(requests / seconds, 0)}/s\n`);
  return { rate: requests / seconds, cpuMs: (cpuMsOfAll() - cpuBefore) / requests };
}

function summary(all: readonly Figures[], ceiling: number): object {
  const rates = all.map(({ rate }) => rate);
  const rate = median(rates);
  return {
    perSecond: round(rate, 0),
    spread: [round(Math.min(...rates), 0), round(Math.max(...rates), 0)],
    'of b': round(rate / ceiling),
    cpuMs: round(median(all.map(({ cpuMs }) => cpuMs)), 3),
  };
}
