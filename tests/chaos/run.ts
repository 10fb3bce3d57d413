import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
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
import { inputsOf, type StoredExecution, storedEffects, storedExecutions } from './stored.ts';
import { auditPoll, auditSchedule } from './triggers.ts';
import { until } from './until.ts';
import { kinds } from './workflows.ts';
import { Workload } from './workload.ts';

export interface ChaosOptions {
  /** Determines faults and starts. */
  seed: number;
  /** Milliseconds during which faults are injected. The whole run takes about a minute longer. */
  durationMs: number;
  /** Starts per second. */
  rate: number;
  /** Receives progress messages. */
  log(line: string): void;
}

/**
 * Faults start once an execution succeeds within this time: caches are warm and code is compiled.
 */
const warmMs = 1_000;
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** A completed step. */
interface DoneStep extends Recovery {
  faults: Fault[];
}

export interface ChaosOutcome {
  accepted: number;
  /** Kind of finding → descriptions of the affected executions, ticks, or responses. */
  findings: Figures;
  steps: DoneStep[];
  /** Kinds of faults that this machine does not support, with the reason. */
  skipped: string[];
  stored: ReadonlyMap<string, StoredExecution>;
  ledger: Ledger;
  effects: number;
  /** Exits of processes that no fault caused. */
  unexpectedExits: string[];
  /** Directory that contains the logs of all processes. */
  home: string;
}

export type Figures = Findings & Record<'missed ticks' | 'idle workers' | 'malformed responses', string[]>;

/** The parts of a run. */
interface Scene {
  stack: Stack;
  ledger: Ledger;
  client: Client;
  counter: EffectCounter;
  workload: Workload;
  installation: Installation;
}

/**
 * Runs the service under load with faults, then audits it. The caller removes the `home` of the
 * outcome.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosOutcome> {
  options.log('starting the service');
  const stack = await startStack();
  const end = () => void stack.stop().finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  let scene: Scene | undefined;
  try {
    scene = await setUp(stack, options);
    const { steps, skipped } = await inject(scene, options);
    options.log('no more faults; waiting until everything has settled');
    return { ...(await conclude(scene)), steps, skipped };
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
  const installation = await installWorkflows(client, { effectsUrl: counter.url, apiUrl: stack.publicUrl });
  const workload = new Workload({ client, ledger, seed, rate, workflowIds: installation.idOf });
  const scene: Scene = { stack, ledger, client, counter, workload, installation };
  // The first poll starts nothing for existing entries.
  await until(() => hasPolled(client, installation));
  counter.beginFeed();
  return scene;
}

async function inject(scene: Scene, { seed, durationMs, log }: ChaosOptions): Promise<Pick<ChaosOutcome, 'steps' | 'skipped'>> {
  const { stack, client, ledger, installation } = scene;
  const injector = new Injector(stack, await findClockSkew());
  const probe = { probeId: installation.idOf.get('probe') as string, ledger };
  await until(async () => (await measureRecovery(stack, client, probe)).workedMs < warmMs).catch(() => undefined);
  const steps: DoneStep[] = [];
  const deadline = performance.now() + durationMs;
  for (const step of planOf(seed)) {
    const faults = step.faults.filter(({ kind }) => injector.skipReason(kind) === undefined);
    if (faults.length === 0) continue;
    await delay(step.pauseMs);
    if (performance.now() > deadline) break;
    log(faults.map(describeFault).join(' + '));
    await Promise.all(faults.map((fault) => injector.inject(fault)));
    const recovery = await measureRecovery(stack, client, probe);
    const { workedMs, readyMs, notReady } = recovery;
    const others = notReady.length === 0 ? 'all processes ready' : `not ready: ${notReady}`;
    log(`  an execution succeeded after ${seconds(workedMs)}; ${others} after ${seconds(readyMs)}`);
    steps.push({ faults, ...recovery });
  }
  return { steps, skipped: injector.allSkipped() };
}

async function conclude({
  stack,
  ledger,
  client,
  counter,
  workload,
  installation,
}: Scene): Promise<Omit<ChaosOutcome, 'steps' | 'skipped'>> {
  const databaseUrl = stack.postgres.url;
  const idOf = (name: string) => installation.idOf.get(name) as string;
  const { deactivatedAt, idleWorkers } = await settle({ databaseUrl, ledger, client, counter, workload, idOf });
  const [stored, rows, ticks, entries, ...inputs] = await Promise.all([
    storedExecutions(databaseUrl),
    storedEffects(databaseUrl),
    auditSchedule(databaseUrl, idOf('schedule'), deactivatedAt),
    auditPoll(databaseUrl, idOf('poll'), counter.entries),
    ...kinds.filter(({ webhook }) => webhook).map(({ name }) => inputsOf(databaseUrl, idOf(name))),
  ]);
  const webhookEvents = inputs.flat().flatMap(({ id, items }) => (stored.get(id)?.mode === 'webhook' ? eventsIn(items) : []));
  const effects = [...counter.effects, ...rows];
  const findings = audit({ ledger, stored, effects, events: counter.events, kindOf: installation.kindOf, webhookEvents });
  await saveExecutions(client, Object.values(findings).flat(), stack.home);
  findings.duplicated.push(...ticks.duplicated, ...entries.duplicated);
  return {
    accepted: ledger.accepted.size + ledger.webhookEvents.size,
    findings: {
      ...findings,
      'missed ticks': [...ticks.missed, ...entries.missed],
      'idle workers': idleWorkers,
      'malformed responses': ledger.malformed,
    },
    stored,
    ledger,
    effects: effects.length,
    unexpectedExits: [...stack.apis, ...stack.workers].flatMap(({ unexpectedExits }) => unexpectedExits),
    home: stack.home,
  };
}

/** Maximum number of executions whose data is kept. */
const maxSaved = 20;

/** Keeps the data of executions with findings, next to the logs. */
async function saveExecutions(client: Client, findings: readonly string[], home: string): Promise<void> {
  const ids = new Set(findings.flatMap((finding) => /^\d+/.exec(finding)?.[0] ?? []));
  for (const id of [...ids].slice(0, maxSaved)) {
    const reply = await client.send({ method: 'GET', route: '/executions/{id}', id, query: '?includeData=true' });
    await writeFile(join(home, 'logs', `execution-${id}.json`), JSON.stringify(reply?.body ?? null, undefined, 2));
  }
}

/** The event of a webhook request, or the ID of an MCP message. */
function eventsIn(items: readonly JsonObject[]): string[] {
  return items.map(({ body }) => {
    const { event, id } = body as { event?: string; id?: string };
    return String(event ?? id);
  });
}
