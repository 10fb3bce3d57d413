import type { ChildProcess } from 'node:child_process';
import { Agent, request as send } from 'node:http';
import { createDatabase, type Database, ensureBootstrap, migrateToLatest } from '@sluice/db';
import { testMasterKey } from '@sluice/test-support';
import { endChild } from './children.ts';
import { startProgram } from './program.ts';
import type { Stack } from './stack.ts';

/** API key of the owner. */
export const ownerKey = 'a-key-for-the-benchmark-only';

/** Settings of the processes. */
export function fleetSettings({ databaseUrl, redisUrl }: Stack): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    ENCRYPTION_KEY: testMasterKey, // 32 bytes, like the key that `sluice up` creates, so that it need not be derived from a passphrase
    RATE_LIMIT_MAX: '1000000000',
  };
}

export interface FleetOptions {
  workers: number;
  /** Whether the processes report their memory on request. */
  collectsGarbage?: boolean;
  /** Additional settings of the processes. */
  env?: Record<string, string>;
}

/**
 * One API process and several worker processes, as in production, on a migrated database with an
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
    const start = (app: 'api' | 'worker') => startProgram(app, { ...fleetSettings(stack), ...settings }, collectsGarbage);
    const [api, ...workers] = await Promise.all([start('api'), ...Array.from({ length: count }, () => start('worker'))]);
    return new Fleet(db, { port: api.port, api: api.child, workers: workers.map(({ child }) => child) });
  }

  /**
   * Sends a request to the API as the owner; resolves to the body. Throws if the status is not 2xx.
   */
  async call<Body>(method: string, path: string, body: object = {}, agent?: Agent): Promise<Body> {
    return JSON.parse(await call(this.port, method, path, body, agent)) as Body;
  }

  /** Creates and activates a workflow; resolves to its ID. */
  async activate(workflow: object): Promise<string> {
    const { id } = await this.call<{ id: string }>('POST', '/api/v1/workflows', workflow);
    await this.call('POST', `/api/v1/workflows/${id}/activate`);
    return id;
  }

  /**
   * Resolves when all executions have ended. Throws if an execution has failed since the fleet
   * started.
   */
  async allEnded(pauseMs: number): Promise<void> {
    const executions = this.db.kysely.selectFrom('executions').select('id').limit(1);
    const live = executions.where('status', 'in', ['new', 'running', 'waiting']);
    while (await live.executeTakeFirst()) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const failed = executions.where('status', 'in', ['error', 'crashed']).where('created_at', '>=', this.#startedAt);
    if (await failed.executeTakeFirst()) throw new Error('an execution has failed');
  }

  /** Calls `work` while the worker processes are suspended, so that executions remain queued. */
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
 * Calls `work` with each number below `count`, over `connections` concurrent keep-alive
 * connections.
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

/** Sends a request to a server; resolves to the body. Throws if the status is not 2xx. */
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
