import { pause } from '@sluice/domain';
import { type RunningProcess, type RunningService, type Settings, startApi, startService, startWorker } from '../harness.ts';
import { type Caller, callerOf } from './runs.ts';
import { type Random, seededRandom } from './seeded-random.ts';

/**
 * Minimum time between two kills, in milliseconds; a busy machine takes longer to start the
 * replacement.
 */
const killEveryMs = 3_000;
const workerCount = 3;
/** Workers count as dead after five seconds: long enough for a live one on a busy machine. */
const everywhere: Settings = { SSRF_ALLOW: '127.0.0.1', LEASE_MS: '5000' };

export interface FleetOptions {
  /** Determines the order of the kills. */
  seed: number;
  /** For all processes. */
  settings?: Settings;
  /** For the workers in one of the three places, throughout the fleet's life. */
  ofPlace?(place: number): Settings;
}

interface Member {
  worker: RunningProcess;
  /** As in executions and triggers. */
  id: string;
}

/**
 * Postgres, Redis, two API processes, and three workers. From `beginKilling` on, one random worker
 * after the other is killed with SIGKILL and replaced; there are never fewer than two.
 */
export class Fleet {
  readonly service: RunningService;
  readonly replica: RunningProcess;
  readonly #options: FleetOptions;
  readonly #random: Random;
  readonly #members: (Member | undefined)[] = [];
  readonly #placeOf = new Map<string, number>();
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
    const service = await startService({ settings: { ...everywhere, WORKERS: '0', ...options.settings } });
    const replica = await startApi(urlsOf(service, options)).catch(async (error: unknown) => {
      await service.dispose();
      throw error;
    });
    const fleet = new Fleet(service, replica, options);
    const starts = Array.from({ length: workerCount }, (_, place) => fleet.#startMember(place));
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

  /** Ids of the killed workers. */
  get killed(): readonly string[] {
    if (this.#failure !== undefined) throw this.#failure;
    return this.#killed;
  }

  /** The place of a live or dead worker, out of three. */
  placeOf(workerId: string): number | undefined {
    return this.#placeOf.get(workerId);
  }

  beginKilling(): void {
    this.#killing ??= this.#killAgainAndAgain().catch((error: unknown) => {
      this.#failure = error;
    });
  }

  /** Kills a given worker and replaces it; resolves to whether it was alive. */
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

  async #killAgainAndAgain(): Promise<void> {
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

  async #replace(place: number): Promise<boolean> {
    const victim = this.#members[place];
    if (!victim || this.#stopping.signal.aborted) return false;
    victim.worker.signal('SIGKILL');
    await victim.worker.exited;
    this.#killed.push(victim.id);
    await this.#startMember(place);
    return true;
  }

  async #startMember(place: number): Promise<void> {
    const worker = await startWorker({ ...urlsOf(this.service, this.#options), ...this.#options.ofPlace?.(place) });
    const id = workerIdIn(worker.output());
    this.#members[place] = { worker, id };
    this.#placeOf.set(id, place);
  }
}

function urlsOf({ databaseUrl, redisUrl, url }: RunningService, { settings }: FleetOptions): Settings {
  return { ...everywhere, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, PUBLIC_URL: url, ...settings };
}

function workerIdIn(output: string): string {
  const line = output.split('\n').find((text) => text.includes('"worker ready"'));
  return (JSON.parse(line ?? '{}') as { workerId: string }).workerId;
}
