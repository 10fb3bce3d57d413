import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '@sluice/domain';
import { audit, type Findings } from './auditor.ts';
import { Client } from './client.ts';
import { findClockSkew } from './clock.ts';
import { ContractCheck } from './contract-check.ts';
import { EffectCounter } from './effects.ts';
import { Injector } from './injector.ts';
import { hasPolled, type Installation, installWorkflows } from './installation.ts';
import { Ledger } from './ledger.ts';
import { describeFault, type Fault, planOf } from './plan.ts';
import { measureRecovery, type Recovery } from './recovery.ts';
import { settle } from './settling.ts';
import { type Stack, startStack } from './stack.ts';
import { inputsOf, type StoredExecution, storedExecutions } from './stored.ts';
import { auditPoll, auditSchedule } from './triggers.ts';
import { until } from './until.ts';
import { Workload } from './workload.ts';

export interface ChaosOptions {
  /** Determines faults and starts. */
  seed: number;
  /** Time of faults, in milliseconds; the run takes about a minute more. */
  durationMs: number;
  /** Starts per second. */
  rate: number;
  /** Receives lines about the progress. */
  log(line: string): void;
}

/** Faults begin once an execution succeeds within this time: caches are filled, and code is compiled. */
const warmMs = 1_000;
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** A step that was carried out. */
interface DoneStep extends Recovery {
  faults: Fault[];
}

export interface ChaosOutcome {
  accepted: number;
  /** Kind of finding → the executions, ticks, or responses concerned. */
  findings: Figures;
  steps: DoneStep[];
  /** Kinds of faults that this machine does not allow, with the reason. */
  leftOut: string[];
  stored: ReadonlyMap<string, StoredExecution>;
  ledger: Ledger;
  effects: number;
  /** Exits of processes that no fault caused. */
  ownExits: string[];
  /** Folder with the logs of all processes. */
  home: string;
}

export type Figures = Findings & Record<'ticks missed' | 'idle workers' | 'malformed responses', string[]>;

/** Everything that acts during a run. */
interface Scene {
  stack: Stack;
  ledger: Ledger;
  client: Client;
  counter: EffectCounter;
  workload: Workload;
  installation: Installation;
}

/** Runs the service under load and faults, and audits it. The caller disposes of the outcome's home. */
export async function runChaos(options: ChaosOptions): Promise<ChaosOutcome> {
  options.log('starting the service');
  const stack = await startStack();
  const end = () => void stack.stop().finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  let scene: Scene | undefined;
  try {
    scene = await setUp(stack, options);
    const { steps, leftOut } = await inflict(scene, options);
    options.log('no more faults; waiting until everything has settled');
    return { ...(await conclude(scene)), steps, leftOut };
  } finally {
    scene?.client.stop();
    await scene?.counter.stop();
    await stack.stop();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end);
  }
}

async function setUp(stack: Stack, { seed, rate }: ChaosOptions): Promise<Scene> {
  const ledger = new Ledger();
  const document = await fetch(`${stack.apis[0]?.url}/api/v1/openapi.json`);
  const check = new ContractCheck((await document.json()) as object);
  const client = new Client({ apis: stack.apis, apiKey: stack.apiKey, check, ledger });
  const counter = await EffectCounter.start((url) => scene.workload.resume(url));
  const installation = await installWorkflows(client, counter.url);
  const workload = new Workload({ client, ledger, seed, rate, workflowIds: installation.idOf });
  const scene: Scene = { stack, ledger, client, counter, workload, installation };
  // Entries of the first poll count as known.
  await until(() => hasPolled(client, installation));
  counter.beginFeed();
  return scene;
}

async function inflict(
  scene: Scene,
  { seed, durationMs, log }: ChaosOptions,
): Promise<Pick<ChaosOutcome, 'steps' | 'leftOut'>> {
  const { stack, client, ledger, installation } = scene;
  const injector = new Injector(stack, await findClockSkew());
  const probe = { probeId: installation.idOf.get('probe') as string, ledger };
  await until(async () => (await measureRecovery(stack, client, probe)).workedMs < warmMs).catch(() => undefined);
  const steps: DoneStep[] = [];
  const deadline = performance.now() + durationMs;
  for (const step of planOf(seed)) {
    const faults = step.faults.filter(({ kind }) => injector.leftOut(kind) === undefined);
    if (faults.length === 0) continue;
    await sleep(step.pauseMs);
    if (performance.now() > deadline) break;
    log(faults.map(describeFault).join(' + '));
    await Promise.all(faults.map((fault) => injector.inflict(fault)));
    const recovery = await measureRecovery(stack, client, probe);
    const { workedMs, readyMs, notReady } = recovery;
    const others = notReady.length === 0 ? 'all processes ready' : `not ready: ${notReady}`;
    log(`  an execution succeeded after ${seconds(workedMs)}; ${others} after ${seconds(readyMs)}`);
    steps.push({ faults, ...recovery });
  }
  return { steps, leftOut: injector.allLeftOut() };
}

async function conclude({
  stack,
  ledger,
  client,
  counter,
  workload,
  installation,
}: Scene): Promise<Omit<ChaosOutcome, 'steps' | 'leftOut'>> {
  const databaseUrl = stack.postgres.url;
  const idOf = (name: string) => installation.idOf.get(name) as string;
  const { deactivatedAt, idleWorkers } = await settle({ databaseUrl, ledger, client, counter, workload, idOf });
  const [stored, ticks, entries, ...inputs] = await Promise.all([
    storedExecutions(databaseUrl),
    auditSchedule(databaseUrl, idOf('schedule'), deactivatedAt),
    auditPoll(databaseUrl, idOf('poll'), counter.entries),
    ...['webhook, immediate', 'webhook, last node'].map((name) => inputsOf(databaseUrl, idOf(name))),
  ]);
  const webhookEvents = inputs.flat().flatMap(({ id, items }) => (stored.get(id)?.mode === 'webhook' ? eventsIn(items) : []));
  const findings = audit({ ledger, stored, effects: counter.effects, kindOf: installation.kindOf, webhookEvents });
  findings.doubled.push(...ticks.doubled, ...entries.doubled);
  return {
    accepted: ledger.accepted.size + ledger.webhookEvents.size,
    findings: {
      ...findings,
      'ticks missed': [...ticks.missed, ...entries.missed],
      'idle workers': idleWorkers,
      'malformed responses': ledger.malformed,
    },
    stored,
    ledger,
    effects: counter.effects.length,
    ownExits: [...stack.apis, ...stack.workers].flatMap(({ ownExits }) => ownExits),
    home: stack.home,
  };
}

const eventsIn = (items: readonly JsonObject[]) => items.map(({ body }) => String((body as JsonObject)['event']));
