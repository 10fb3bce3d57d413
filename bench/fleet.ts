import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as send } from 'node:http';
import { childEnvironment } from '@sluice/config';
import { createDatabase, type Database, ensureBootstrap, migrateToLatest } from '@sluice/db';
import { endChild, track } from './children.ts';
import { rssMb } from './processes.ts';
import type { Stack } from './stack.ts';

/** API key of the owner. */
export const ownerKey = 'a-key-for-the-benchmark-only';

/** Settings of the processes. */
export function fleetSettings({ databaseUrl, redisUrl }: Stack): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    ENCRYPTION_KEY: 'a-master-key-for-the-benchmark',
    LOG_LEVEL: 'warn',
    RATE_LIMIT_MAX: '1000000000',
    PORT: '0',
    WORKER_PORT: '0',
  };
}

export interface FleetOptions {
  workers: number;
  /** Whether the processes report their memory on request. */
  collectsGarbage?: boolean;
  /** Further settings of the processes. */
  env?: Record<string, string>;
}

/**
 * One API process and some worker processes, as in production, on a migrated database with an
 * owner.
 */
export class Fleet {
  readonly db: Database;
  readonly port: number;
  readonly api: ChildProcess;
  readonly workers: readonly ChildProcess[];
  readonly #startedAt = new Date();

  private constructor(db: Database, { port, api, workers }: Pick<Fleet, 'port' | 'api' | 'workers'>) {
    this.db = db;
    this.port = port;
    this.api = api;
    this.workers = workers;
  }

  static async start(
    stack: Stack,
    { workers: count, collectsGarbage = false, env: settings = {} }: FleetOptions,
  ): Promise<Fleet> {
    const db = createDatabase({ url: stack.databaseUrl });
    await migrateToLatest(db);
    await ensureBootstrap(db.kysely, { bootstrapApiKey: ownerKey });
    const env = childEnvironment({ ...fleetSettings(stack), ...settings });
    const execArgv = [...process.execArgv, ...(collectsGarbage ? ['--expose-gc'] : [])];
    const begin = (file: string) => track(fork(new URL(file, import.meta.url), { env, execArgv }));
    const workers = Array.from({ length: count }, () => begin('./bench-worker.ts'));
    const api = begin('./bench-api.ts');
    const [port] = await Promise.all([api, ...workers].map(messageOf));
    return new Fleet(db, { port: Number(port), api, workers });
  }

  /**
   * Sends a request to the API as the owner; resolves to the body. Throws for any status but 2xx.
   */
  async call<Body>(method: string, path: string, body: object = {}, agent?: Agent): Promise<Body> {
    return JSON.parse(await call(this.port, method, path, body, agent)) as Body;
  }

  /** Creates and activates a workflow; resolves to its id. */
  async activate(workflow: object): Promise<string> {
    const { id } = await this.call<{ id: string }>('POST', '/api/v1/workflows', workflow);
    await this.call('POST', `/api/v1/workflows/${id}/activate`);
    return id;
  }

  /** Resolves once all executions have ended. Throws if one has failed since the start of the fleet. */
  async allEnded(pauseMs: number): Promise<void> {
    const executions = this.db.kysely.selectFrom('executions').select('id').limit(1);
    const live = executions.where('status', 'in', ['new', 'running', 'waiting']);
    while (await live.executeTakeFirst()) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const failed = executions.where('status', 'in', ['error', 'crashed']).where('created_at', '>=', this.#startedAt);
    if (await failed.executeTakeFirst()) throw new Error('an execution has failed');
  }

  /** Does the work while the worker processes are suspended. Executions remain queued meanwhile. */
  async withoutWorkers<Result>(work: () => Promise<Result>): Promise<Result> {
    for (const worker of this.workers) worker.kill('SIGSTOP');
    try {
      return await work();
    } finally {
      for (const worker of this.workers) worker.kill('SIGCONT');
    }
  }

  async stop(): Promise<void> {
    await Promise.all([this.api, ...this.workers].map(endChild));
    await this.db.close();
  }
}

/**
 * Calls `work` with each number below `count`, over this many concurrent keep-alive connections.
 */
export async function inParallel(
  connections: number,
  count: number,
  work: (i: number, agent: Agent) => Promise<void>,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let next = 0;
  const client = async () => {
    for (let i = next++; i < count; i = next++) await work(i, agent);
  };
  await Promise.all(Array.from({ length: connections }, client));
  agent.destroy();
}

/** Sends a request to an API process; resolves to the body. Throws for any status but 2xx. */
export function call(port: number, method: string, path: string, body: object, agent?: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-service-api-key': ownerKey };
    const sent = send({ host: '127.0.0.1', port, path, method, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (String(response.statusCode).startsWith('2')) resolve(text);
        else reject(new Error(`returned ${response.statusCode}: ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}

/** The next message of a process. Throws if it exits instead. */
async function messageOf(child: ChildProcess): Promise<unknown> {
  const over = new AbortController();
  const ended = once(child, 'exit', over).then(([code]) => {
    throw new Error(`a process ended with ${code}`);
  });
  try {
    const [message] = await Promise.race([once(child, 'message', over), ended]);
    return message;
  } finally {
    over.abort();
  }
}

/**
 * Asks a process of `bench-api.ts` or `bench-worker.ts` to collect its garbage; resolves to its
 * resident memory in MB.
 */
export async function collectedRssMb(child: ChildProcess): Promise<number> {
  child.send('collect garbage');
  await messageOf(child);
  return rssMb(child.pid ?? 0);
}
