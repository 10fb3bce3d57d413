import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createContext } from '@sluice/api';
import { childEnvironment, toConfig } from '@sluice/config';
import { createDatabase, ensureBootstrap, migrateToLatest } from '@sluice/db';
import { createLogger } from '@sluice/logger';
import { endChild } from './ceiling.ts';
import { cpuMsOfAll } from './processes.ts';
import type { Stack } from './stack.ts';

export interface ExecutionFigures {
  /** Executions per second, from the first start to the last `success`, data saved. */
  rate: number;
  /** CPU milliseconds per execution, of the API's service, the worker, Postgres, and Redis. */
  cpuMs: number;
}

type Context = ReturnType<typeof createContext>;
type Caller = Awaited<ReturnType<Context['authenticator']['authenticate']>>;

const workflow: Parameters<Context['services']['workflows']['create']>[0] & { id: string } = {
  id: 'bench',
  name: 'Bench',
  nodes: [
    { id: '1', name: 'Start', type: 'base.manual-trigger', position: [0, 0], parameters: {} },
    {
      id: '2',
      name: 'Set',
      type: 'base.set',
      typeVersion: 3.4,
      position: [200, 0],
      parameters: { assignments: { assignments: [{ name: 'workflow', type: 'string', value: '={{ $workflow.name }}' }] } },
    },
  ],
  connections: { Start: { main: [[{ node: 'Set', type: 'main', index: 0 }]] } },
};

/**
 * A migrated database with an owner and a workflow, one worker process, and the API's own service
 * to start runs.
 */
export class ExecutionBench {
  readonly #context: Context;
  readonly #worker: ChildProcess;
  readonly #caller: Caller;

  private constructor(context: Context, worker: ChildProcess, caller: Caller) {
    this.#context = context;
    this.#worker = worker;
    this.#caller = caller;
  }

  static async start(stack: Stack, concurrency: number): Promise<ExecutionBench> {
    const key = 'a-key-for-the-benchmark-only';
    const db = createDatabase({ url: stack.databaseUrl });
    await migrateToLatest(db);
    await ensureBootstrap(db.kysely, { bootstrapApiKey: key });
    await db.close();
    const env = {
      DATABASE_URL: stack.databaseUrl,
      REDIS_URL: stack.redisUrl,
      ENCRYPTION_KEY: 'a-master-key-for-the-benchmark',
      CONCURRENCY: String(concurrency),
      LOG_LEVEL: 'warn',
      WORKER_PORT: '0',
    };
    const context = createContext(toConfig(env), { logger: createLogger({ name: 'bench', level: 'warn' }) });
    const worker = fork(new URL('./bench-worker.ts', import.meta.url), { env: childEnvironment(env) });
    await once(worker, 'message');
    const caller = await context.authenticator.authenticate(key);
    await context.services.workflows.create(workflow, caller);
    return new ExecutionBench(context, worker, caller);
  }

  /** Starts `count` runs, `inFlight` at a time, and waits until all have ended. */
  async measure(count: number, inFlight = 200): Promise<ExecutionFigures> {
    const { runs } = this.#context.services;
    const lastId = await this.#lastId();
    const cpuBefore = cpuMsOfAll();
    const beganAt = performance.now();
    let left = count;
    const starter = async () => {
      while (left-- > 0) await runs.run(workflow.id, {}, this.#caller, { waitMs: 0 });
    };
    await Promise.all(Array.from({ length: inFlight }, starter));
    while (await this.#anyUnfinished()) await new Promise((resolve) => setTimeout(resolve, 20));
    const seconds = (performance.now() - beganAt) / 1_000;
    const succeeded = await this.#countSuccess(lastId);
    if (succeeded !== count) throw new Error(`${succeeded} of ${count} executions succeeded`);
    return { rate: count / seconds, cpuMs: (cpuMsOfAll() - cpuBefore) / count };
  }

  async stop(): Promise<void> {
    await endChild(this.#worker);
    await this.#context.close();
  }

  async #lastId(): Promise<string> {
    const last = this.#context.db.kysely.selectFrom('executions').select('id').orderBy('id', 'desc').limit(1);
    return (await last.executeTakeFirst())?.id ?? '0';
  }

  async #countSuccess(aboveId: string): Promise<number> {
    const succeeded = this.#context.db.kysely
      .selectFrom('executions')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where('id', '>', aboveId)
      .where('status', '=', 'success');
    return Number((await succeeded.executeTakeFirstOrThrow()).count);
  }

  async #anyUnfinished(): Promise<boolean> {
    const unfinished = this.#context.db.kysely
      .selectFrom('executions')
      .select('id')
      .where('status', 'in', ['new', 'running', 'waiting']);
    return (await unfinished.limit(1).executeTakeFirst()) !== undefined;
  }
}
