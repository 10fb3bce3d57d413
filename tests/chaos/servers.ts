import { readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type EmbeddedService, makeRuntimeDirectory, type ServiceOptions, startPostgres, startRedis } from '@sluice/embedded';
import { createLogger } from '@sluice/logger';
import { eventually } from '@sluice/test-support';

interface Kind {
  launch(options: ServiceOptions): Promise<EmbeddedService>;
  /** Relative to the data directory. */
  pidFile: string;
  /** Relative to the runtime directory. */
  socket: string;
  durable: boolean;
}

const postgres: Kind = { launch: startPostgres, pidFile: 'postmaster.pid', socket: 'postgres/.s.PGSQL.5432', durable: true };
/** Loses all data when it is killed. */
const redis: Kind = { launch: startRedis, pidFile: 'redis.pid', socket: 'redis.sock', durable: false };

/** A restart of Postgres includes crash recovery and waits for its old processes to exit. */
const startTimeoutMs = 120_000;

/**
 * A Postgres or a Redis on a Unix socket, under a supervisor that restarts it whenever it exits.
 */
export class ServerUnderTest {
  readonly url: string;
  /** Path of its Unix socket. */
  readonly socket: string;
  readonly dataDir: string;
  readonly #kind: Kind;
  readonly #options: ServiceOptions;
  #service: EmbeddedService;
  #frozen: number[] = [];
  /** Set while the server is kept down. */
  #down: PromiseWithResolvers<void> | undefined;
  #restarted: Promise<void> = Promise.resolve();
  #isStopping = false;

  private constructor(kind: Kind, options: ServiceOptions, service: EmbeddedService) {
    this.#kind = kind;
    this.#options = options;
    this.url = service.url;
    this.socket = join(options.runtimeDir, kind.socket);
    this.dataDir = options.dataDir;
    this.#service = service;
    this.#supervise();
  }

  static startPostgres(home: string, dataDir = join(home, 'data')): Promise<ServerUnderTest> {
    return ServerUnderTest.#start(postgres, home, dataDir);
  }

  static startRedis(home: string): Promise<ServerUnderTest> {
    return ServerUnderTest.#start(redis, home, join(home, 'data'));
  }

  static async #start(kind: Kind, home: string, dataDir: string): Promise<ServerUnderTest> {
    await mkdir(home, { recursive: true });
    const logger = createLogger({ name: 'chaos', level: 'silent' });
    const runtimeDir = await makeRuntimeDirectory(home);
    const options = { dataDir, runtimeDir, logFile: join(home, 'log'), durable: kind.durable, logger };
    return new ServerUnderTest(kind, options, await kind.launch(options));
  }

  /**
   * Freezes all its processes, the parent first, so that it cannot fork a process after they have
   * been listed.
   */
  freeze(): void {
    const pid = this.#pid();
    if (pid === undefined) return;
    send('SIGSTOP', pid);
    this.#frozen = [pid, ...childrenOf(pid)];
    for (const process of this.#frozen) send('SIGSTOP', process);
  }

  unfreeze(): void {
    for (const pid of this.#frozen.splice(0)) send('SIGCONT', pid);
  }

  /** Kills the server, which stays down until `bringUp`. */
  kill(): void {
    this.#down ??= Promise.withResolvers();
    const pid = this.#pid();
    if (pid !== undefined) send('SIGKILL', pid);
  }

  /** Kills one of its processes, as the OOM killer does. Postgres then recovers. */
  killChild(n: number): void {
    const pid = this.#pid();
    const children = pid === undefined ? [] : childrenOf(pid);
    const child = children[n % children.length];
    if (child !== undefined) send('SIGKILL', child);
  }

  /** Resolves once the server responds. */
  async bringUp(): Promise<void> {
    if (this.#down) {
      this.#down.resolve();
      this.#down = undefined;
      await this.#service.exited;
    }
    await this.#restarted;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.unfreeze();
    this.#down?.resolve();
    await this.#restarted.catch(() => undefined);
    await this.#service.stop();
    await Promise.all([this.#options.runtimeDir, this.dataDir].map((path) => rm(path, { recursive: true, force: true })));
  }

  #supervise(): void {
    void this.#service.exited.then(() => {
      if (this.#isStopping) return;
      this.#restarted = this.#restart();
      this.#restarted.catch(() => undefined); // `bringUp` and `stop` await it
    });
  }

  async #restart(): Promise<void> {
    await this.#down?.promise;
    if (this.#isStopping) return;
    this.#service = await eventually(() => this.#kind.launch(this.#options), { timeoutMs: startTimeoutMs });
    this.#supervise();
  }

  /** `undefined` while the server does not run. */
  #pid(): number | undefined {
    try {
      return Number.parseInt(readFileSync(join(this.dataDir, this.#kind.pidFile), 'utf8'), 10);
    } catch {
      return undefined;
    }
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Ignores a process that has already exited. */
function send(signal: NodeJS.Signals, pid: number): void {
  try {
    process.kill(pid, signal);
  } catch {}
}
