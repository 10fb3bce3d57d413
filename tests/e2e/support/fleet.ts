import { pause } from '@sluice/domain';
import { type RunningProcess, type RunningService, type Settings, startApi, startService, startWorker } from '../harness.ts';
import { type Caller, callerOf } from './runs.ts';
import { type Random, seededRandom } from './seeded-random.ts';

/**
 * Minimum time between two kills, in milliseconds. A busy machine takes longer to start the
 * replacement.
 */
const killEveryMs = 3_000;
const workerCount = 3;
/** A worker counts as dead after five seconds: enough time for a live worker on a busy machine. */
const commonSettings: Settings = { SSRF_ALLOW: '127.0.0.1', LEASE_MS: '5000' };

export interface FleetOptions {
  /** Determines the order of kills. */
  seed: number;
  /** For all processes. */
  settings?: Settings;
  /** For each worker in one of the three slots, including replacements. */
  settingsOfSlot?(slot: number): Settings;
}

interface Member {
  worker: RunningProcess;
  /** Worker ID, as in executions and triggers. */
  id: string;
}

/**
 * Postgres, Redis, two API processes, and three workers. After `beginKilling`, random workers are
 * killed with SIGKILL and replaced, one at a time, so that at least two run.
 */
export class Fleet {
  readonly service: RunningService;
  readonly replica: RunningProcess;
  readonly #options: FleetOptions;
  readonly #random: Random;
  readonly #members: (Member | undefined)[] = [];
  readonly #slotOf = new Map<string, number>();
  readonly #killed: string[] = [];
  readonly #stopping = new AbortController();
  #killing: Promise<void> | undefined;
  /** Kills are sequential. */
  #lastDeath: Promise<unknown> = Promise.resolve();
  #failure: unknown;

  private constructor(service: RunningService, replica: RunningProcess, options: FleetOptions) {
    this.service = service;
    this.replica = replica;
    this.#options = options;
    this.#random = seededRandom(options.seed);
  }

  static async start(options: FleetOptions): Promise<Fleet> {
    const service = await startService({ settings: { ...commonSettings, WORKERS: '0', ...options.settings } });
    const replica = await startApi(urlsOf(service, options)).catch(async (error: unknown) => {
      await service.dispose();
      throw error;
    });
    const fleet = new Fleet(service, replica, options);
    const starts = Array.from({ length: workerCount }, (_, slot) => fleet.#startMember(slot));
    await Promise.all(starts).catch(async (error: unknown) => {
      await Promise.allSettled(starts);
      await fleet.dispose();
      throw error;
    });
    return fleet;
  }

  /** URLs of the two API processes. */
  get urls(): readonly [string, string] {
    return [this.service.url, this.replica.url];
  }

  /** Clients of the two API processes. */
  get callers(): readonly [Caller, Caller] {
    return [this.service, callerOf(this.replica, this.service.apiKey)];
  }

  get databaseUrl(): string {
    return this.service.databaseUrl;
  }

  /** IDs of the killed workers. */
  get killed(): readonly string[] {
    if (this.#failure !== undefined) throw this.#failure;
    return this.#killed;
  }

  /** The slot of a live or killed worker, from 0 to 2. */
  slotOf(workerId: string): number | undefined {
    return this.#slotOf.get(workerId);
  }

  beginKilling(): void {
    this.#killing ??= this.#killRepeatedly().catch((error: unknown) => {
      this.#failure = error;
    });
  }

  /** Kills the worker and replaces it. Resolves to whether it was alive. */
  kill(workerId: string): Promise<boolean> {
    return this.#die(() => this.#members.findIndex((member) => member?.id === workerId));
  }

  async dispose(): Promise<void> {
    this.#stopping.abort();
    await this.#killing;
    await this.#lastDeath;
    const processes = [...this.#members.flatMap((member) => member?.worker ?? []), this.replica];
    await Promise.allSettled(processes.map((process) => process.stop()));
    await this.service.dispose();
  }

  async #killRepeatedly(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const nextAt = performance.now() + killEveryMs;
      await this.#die(() => Math.floor(this.#random() * workerCount));
      const pauseMs = Math.max(0, nextAt - performance.now());
      await pause(pauseMs, this.#stopping.signal);
    }
  }

  #die(choose: () => number): Promise<boolean> {
    const death = this.#lastDeath.then(() => this.#replace(choose()));
    this.#lastDeath = death.catch(() => false);
    return death;
  }

  async #replace(slot: number): Promise<boolean> {
    const victim = this.#members[slot];
    if (!victim || this.#stopping.signal.aborted) return false;
    await victim.worker.kill();
    this.#killed.push(victim.id);
    await this.#startMember(slot);
    return true;
  }

  async #startMember(slot: number): Promise<void> {
    const worker = await startWorker({ ...urlsOf(this.service, this.#options), ...this.#options.settingsOfSlot?.(slot) });
    const id = workerIdIn(worker.output());
    this.#members[slot] = { worker, id };
    this.#slotOf.set(id, slot);
  }
}

function urlsOf({ databaseUrl, redisUrl, url }: RunningService, { settings }: FleetOptions): Settings {
  return { ...commonSettings, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, PUBLIC_URL: url, ...settings };
}

function workerIdIn(output: string): string {
  const line = output.split('\n').find((text) => text.includes('"worker ready"'));
  return (JSON.parse(line ?? '{}') as { workerId: string }).workerId;
}
