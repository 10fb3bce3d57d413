import { createDatabase, StatisticsRollUpRepository } from '@sluice/db';
import { endChild, startBareExpress } from './children.ts';
import { Fleet, ownerKey } from './fleet.ts';
import { cancelLive, seedDatabase, seedSizes } from './seed.ts';
import { type Stack, startStack } from './stack.ts';

/** Processes, data, and options that the measurements of `./dev bench` share. */
export interface Bench {
  stack: Stack;
  /**
   * One API process and one worker process, with default settings, except that they may call this
   * machine.
   */
  fleet: Fleet;
  /** Port of a bare Express server that responds to every list with an empty list. */
  barePort: number;
  /** Whether this is a trial run with small numbers. */
  quick: boolean;
  /** Executions, jobs, or requests per round of a rate measurement. */
  count: number;
  /** Disposed after the last round. */
  resources: AsyncDisposableStack;
}

/** Results of one round, by the figure names in `targets.ts`. */
export type Figures = Readonly<Record<string, number>>;

/** Prepares a measurement and warms up. Resolves to a function that measures one round. */
export type Measurement = (bench: Bench) => Promise<() => Promise<Figures>>;

/** Starts all processes on a database with 10,000 workflows and 10,000 ended executions. */
export async function startBench(quick: boolean, resources: AsyncDisposableStack): Promise<Bench> {
  const stack = await startStack();
  resources.defer(() => stack.stop());
  await seedDatabase(stack.databaseUrl, seedSizes.small, ownerKey);
  const db = createDatabase({ url: stack.databaseUrl });
  await cancelLive(db);
  // Otherwise, a worker would roll up their statistics during the first round, which takes Postgres
  // seconds.
  const statistics = new StatisticsRollUpRepository(db.kysely);
  while (await statistics.rollUp(0));
  await db.close();
  const fleet = await Fleet.start(stack, { workers: 1, env: { SSRF_ALLOW: '127.0.0.1', RUN_WAIT_MS: '60000' } });
  resources.defer(() => fleet.stop());
  const bare = await startBareExpress('{"data":[]}');
  resources.defer(() => endChild(bare.child));
  return { stack, fleet, barePort: bare.port, quick, count: quick ? 500 : 12_000, resources };
}
