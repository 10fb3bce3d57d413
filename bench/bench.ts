import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createDatabase, StatisticsRollUpRepository } from '@sluice/db';
import { endChild, track } from './children.ts';
import { Fleet, ownerKey } from './fleet.ts';
import { cancelLive, seedDatabase, seedSizes } from './seed.ts';
import { type Stack, startStack } from './stack.ts';

/** Processes, data, and options that the measurements of `./dev bench` share. */
export interface Bench {
  stack: Stack;
  /** One API process and one worker process, with default settings, which may call this machine. */
  fleet: Fleet;
  /** Port of bare Express, which responds to the path of any list with an empty list. */
  barePort: number;
  /** Whether this is a trial, with small numbers. */
  quick: boolean;
  /** Executions, jobs, or requests in one round of a rate. */
  count: number;
  /** Disposed of after the last round. */
  resources: AsyncDisposableStack;
}

/** Results of one round, by the names that `targets.ts` uses. */
export type Figures = Readonly<Record<string, number>>;

/** Prepares a measurement and warms up. The result measures one round. */
export type Measurement = (bench: Bench) => Promise<() => Promise<Figures>>;

/** Starts all processes, with 10,000 workflows and 10,000 ended executions in the database. */
export async function startBench(quick: boolean, resources: AsyncDisposableStack): Promise<Bench> {
  const stack = await startStack();
  resources.defer(() => stack.stop());
  await seedDatabase(stack.databaseUrl, seedSizes.small, ownerKey);
  const db = createDatabase({ url: stack.databaseUrl });
  await cancelLive(db);
  // A worker would count them during the first round, which takes Postgres seconds.
  const statistics = new StatisticsRollUpRepository(db.kysely);
  while (await statistics.rollUp(0));
  await db.close();
  const fleet = await Fleet.start(stack, { workers: 1, env: { SSRF_ALLOW: '127.0.0.1', RUN_WAIT_MS: '60000' } });
  resources.defer(() => fleet.stop());
  const bare = track(fork(new URL('./bare-express.ts', import.meta.url)));
  resources.defer(() => endChild(bare));
  bare.send('{"data":[]}');
  const [barePort] = (await once(bare, 'message')) as [number];
  return { stack, fleet, barePort, quick, count: quick ? 500 : 4_000, resources };
}
