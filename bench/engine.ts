import { setTimeout as delay } from 'node:timers/promises';
import type { WorkflowGraph } from '@sluice/domain';
import type { EnginePorts } from '@sluice/engine';
import { createSandbox } from '@sluice/sandbox';
import { chain, codeNode, enginePorts, runOnce, setNode } from './engine-cases.ts';
import { median, percentile, round } from './statistics.ts';

/*
 * The cost of whole runs in one process, with the real engine, node types, and sandbox; node runs
 * are collected in memory. Prints the median and minimum in milliseconds and the limit. On a busy
 * machine, the minimum is more meaningful. `--quick` makes a trial run with small numbers;
 * `--only=<text>` selects the cases whose name contains the text.
 */
const quick = process.argv.includes('--quick');
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice(7) ?? '';

interface Case {
  name: string;
  graph: WorkflowGraph;
  limitMs: number;
  repetitions: number;
}

const zoned = '={{ DateTime.fromISO($json.at).setZone("America/New_York").toFormat("yyyy-MM-dd HH:mm") }}';
const plain = setNode('={{ $json.name }}');
const noOp = { type: 'base.no-op', typeVersion: 1, parameters: {} };
const mapped = 'return items.map(({ json }) => ({ json: { n: json.n * 2 } }))';

const cases: Case[] = [
  { name: '100 set nodes, 1 item', graph: chain(100, 1, plain), limitMs: 2, repetitions: 200 },
  { name: '100 set nodes, 1,000 items', graph: chain(100, 1_000, plain), limitMs: 250, repetitions: 15 },
  {
    name: '10 set nodes, 1,000 items, a method call',
    graph: chain(10, 1_000, setNode('={{ $json.name.trim() }}')),
    limitMs: 60,
    repetitions: 15,
  },
  {
    name: '10 set nodes, 1,000 items, a method of the guest',
    graph: chain(10, 1_000, setNode('={{ $json.name.toTitleCase() }}')),
    limitMs: 300,
    repetitions: 15,
  },
  { name: '10 set nodes, 1,000 items, a zoned date', graph: chain(10, 1_000, setNode(zoned)), limitMs: 600, repetitions: 15 },
  { name: '100 no-op nodes, 1 item', graph: chain(100, 1, noOp), limitMs: 1.5, repetitions: 200 },
  { name: 'code, 1 item', graph: chain(1, 1, codeNode('return items')), limitMs: 2, repetitions: 200 },
  { name: 'code, 10,000 items mapped', graph: chain(1, 10_000, codeNode(mapped)), limitMs: 400, repetitions: 15 },
];

async function measure(ports: EnginePorts, { graph, repetitions, limitMs }: Case) {
  const durations: number[] = [];
  for (let repetition = -3; repetition < (quick ? 3 : repetitions); repetition += 1) {
    const startedAt = performance.now();
    const outcome = await runOnce(ports, graph);
    if (outcome.status !== 'success') throw new Error(`a run of the benchmark ended as ${outcome.status}`);
    if (repetition >= 0) durations.push(performance.now() - startedAt);
  }
  return { median: round(median(durations), 3), minimum: round(Math.min(...durations), 3), limit: limitMs };
}

/** Resident memory in MB before and after 1,000 runs with a Code node. */
async function measureMemory(ports: EnginePorts) {
  const graph = chain(1, 100, codeNode(mapped));
  const megabytes = async () => {
    await delay(100);
    globalThis.gc?.();
    return round(process.memoryUsage.rss() / 2 ** 20, 1);
  };
  for (let run = 0; run < 200; run += 1) await runOnce(ports, graph);
  const before = await megabytes();
  for (let run = 0; run < (quick ? 100 : 1_000); run += 1) await runOnce(ports, graph);
  return { before, after: await megabytes() };
}

const hostile = [
  'while (true) {}',
  'const all = []; for (;;) all.push("x".repeat(1e6).split(""))',
  'return /(a+)+$/.test("a".repeat(40) + "b") ? [] : []',
];

/**
 * Milliseconds that normal runs take, alone and during a series of hostile runs. The two cases
 * alternate. Reports the median and minimum of the 99th percentiles of the rounds.
 */
async function measureNeighbors(ports: EnginePorts) {
  const graph = chain(5, 10, setNode('={{ $json.name.toTitleCase() }}'));
  const rounds = quick ? 2 : 7;
  const turns: Record<'alone' | 'withHostile', number[]> = { alone: [], withHostile: [] };
  await percentileOf(ports, graph, 50);
  for (let round = 0; round < rounds; round += 1) {
    turns.alone.push(await percentileOf(ports, graph, 150));
    const stop = new AbortController();
    const attack = attackUntil(ports, stop.signal);
    turns.withHostile.push(await percentileOf(ports, graph, 150));
    stop.abort();
    await attack;
  }
  const figures = (values: number[]) => ({ median: round(median(values)), minimum: round(Math.min(...values)) });
  const [alone, withHostile] = [figures(turns.alone), figures(turns.withHostile)];
  const ratio = {
    ofMedians: round(withHostile.median / alone.median),
    ofMinima: round(withHostile.minimum / alone.minimum),
  };
  return { p99Alone: alone, p99WithHostile: withHostile, ratio, limit: 2 };
}

async function percentileOf(ports: EnginePorts, graph: WorkflowGraph, runs: number): Promise<number> {
  return percentile(await durationsOf(ports, graph, runs), 0.99);
}

async function durationsOf(ports: EnginePorts, graph: WorkflowGraph, runs: number): Promise<number[]> {
  const durations: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    await delay(5);
    const startedAt = performance.now();
    await runOnce(ports, graph);
    durations.push(performance.now() - startedAt);
  }
  return durations;
}

async function attackUntil(ports: EnginePorts, signal: AbortSignal): Promise<void> {
  for (let turn = 0; !signal.aborted; turn += 1) {
    const graph = chain(1, 1, codeNode(hostile[turn % hostile.length] as string));
    await runOnce(ports, graph, { signal, workflowId: 'hostile' });
  }
}

const loopClients = 6;

/**
 * Milliseconds that short code takes, alone and while clients repeatedly run endless loops, in one
 * workflow or in one workflow per client.
 */
async function measureLoops(ports: EnginePorts) {
  const graph = chain(1, 1, codeNode('return items'));
  const runs = quick ? 100 : 600;
  const figures = async (workflowIdOf?: (client: number) => string) => {
    const stop = new AbortController();
    const clients = workflowIdOf
      ? Array.from({ length: loopClients }, (_, i) => loopUntil(ports, workflowIdOf(i), stop.signal))
      : [];
    const durations = await durationsOf(ports, graph, runs);
    stop.abort();
    await Promise.all(clients);
    const [p50, p90, p99, max] = [0.5, 0.9, 0.99, 1].map((share) => round(percentile(durations, share)));
    return { p50, p90, p99, max };
  };
  await percentileOf(ports, graph, 50);
  return {
    alone: await figures(),
    withLoopsOfOneWorkflow: await figures(() => 'loops'),
    withLoopsOfManyWorkflows: await figures((client) => `loops ${client}`),
  };
}

async function loopUntil(ports: EnginePorts, workflowId: string, signal: AbortSignal): Promise<void> {
  const graph = chain(1, 1, codeNode('while (true) {}'));
  while (!signal.aborted) await runOnce(ports, graph, { signal, workflowId });
}

const sandbox = createSandbox({ timeoutMs: 2_000, memoryMb: 128, threads: 2 });
const ports = enginePorts(sandbox);
const milliseconds: Record<string, object> = {};
for (const benchCase of cases.filter(({ name }) => name.includes(only)))
  milliseconds[benchCase.name] = await measure(ports, benchCase);
const perNode = milliseconds['100 no-op nodes, 1 item'] as { median: number; minimum: number } | undefined;
const report = {
  milliseconds,
  microsecondsPerNodeRun: perNode && {
    median: round(perNode.median * 10, 1),
    minimum: round(perNode.minimum * 10, 1),
    limit: 15,
  },
  ...(['', 'neighbors'].includes(only) && {
    neighbors: await measureNeighbors(ports),
  }),
  ...(['', 'loops'].includes(only) && { loops: await measureLoops(ports) }),
  ...(only === '' && {
    megabytesOverCodeRuns: await measureMemory(ports),
  }),
};
await sandbox.close();
process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
