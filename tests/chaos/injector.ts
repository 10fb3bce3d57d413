import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@sluice/test-support';
import { Redis } from 'ioredis';
import { queryDatabase } from '../e2e/support/database.ts';
import type { ClockSkew } from './clock.ts';
import { promote } from './failover.ts';
import type { Gate } from './gate.ts';
import { type Fault, type FaultKind, faultKinds } from './plan.ts';
import { repeatJobs } from './repeated-jobs.ts';
import type { ServiceProcess } from './service-process.ts';
import type { Stack } from './stack.ts';

/** Injects a fault and resolves when it is over. */
type Injection = (stack: Stack, fault: Fault, skew: ClockSkew | undefined) => Promise<void>;

/** Injects the faults that this machine supports. */
export class Injector {
  readonly #stack: Stack;
  readonly #skew: ClockSkew | undefined;
  /** Faults of the Postgres server run one after another, since a failover replaces the server. */
  #postgresFault: Promise<void> = Promise.resolve();

  constructor(stack: Stack, skew: ClockSkew | undefined) {
    this.#stack = stack;
    this.#skew = skew;
  }

  /** Why a kind of fault is skipped; `undefined` if it is not. */
  skipReason(kind: FaultKind): string | undefined {
    if (kind === 'fill the disk of Postgres' && !this.#stack.disk) return 'no small file system can be mounted';
    if (kind.startsWith('skew') && !this.#skew) return 'there is no libfaketime';
    return undefined;
  }

  allSkipped(): string[] {
    return Object.keys(faultKinds).flatMap((kind) => {
      const reason = this.skipReason(kind as FaultKind);
      return reason === undefined ? [] : `${kind}: ${reason}`;
    });
  }

  /** Resolves when the fault is over and the servers that it took down respond. */
  async inject(fault: Fault): Promise<void> {
    await delay(fault.delayMs);
    const injection = () => injections[fault.kind](this.#stack, fault, this.#skew);
    if (!postgresFaults.includes(fault.kind)) return injection();
    this.#postgresFault = this.#postgresFault.then(injection);
    return this.#postgresFault;
  }
}

const injections: Record<FaultKind, Injection> = {
  'kill a worker': async (stack, fault) => workerOf(stack, fault).kill(),
  'freeze a worker': (stack, fault) => freeze(workerOf(stack, fault), fault),
  'stop a worker': async (stack, fault) => workerOf(stack, fault).restart(),
  'kill an API': async (stack, fault) => apiOf(stack, fault).kill(),
  'freeze an API': (stack, fault) => freeze(apiOf(stack, fault), fault),
  'stop an API': async (stack, fault) => apiOf(stack, fault).restart(),
  'flush Redis': ({ redis }) => inRedis(redis, (connection) => connection.flushall()),
  'freeze Redis': ({ redis }, fault) => freeze(redis, fault),
  'kill Redis': ({ redis }, fault) => kill(redis, fault),
  'repeat jobs': ({ redis, postgres }, { durationMs }) =>
    inRedis(redis, (connection) => repeatJobs(connection, postgres.url, durationMs)),
  'fill the memory of Redis': fillRedis,
  'freeze Postgres': ({ postgres }, fault) => freeze(postgres, fault),
  'kill Postgres': ({ postgres }, fault) => kill(postgres, fault),
  'kill a backend of Postgres': async ({ postgres }, { target }) => postgres.killChild(target),
  'make Postgres read-only': makeReadOnly,
  'lock the executions': lockExecutions,
  'cut the connections to Postgres': ({ postgresGates }) => cut(postgresGates),
  'cut the connections to Redis': ({ redisGate }) => cut([redisGate]),
  'half-open connections to Postgres': ({ postgresGates }) => halfOpen(postgresGates),
  'half-open connections to Redis': ({ redisGate }) => halfOpen([redisGate]),
  'partition from Postgres': ({ postgresGates }, fault) => partition(postgresGates, fault),
  'partition from Redis': ({ redisGate }, fault) => partition([redisGate], fault),
  'fill the disk of Postgres': fillDisk,
  'fail over to a standby of Postgres': failOver,
  'skew the clock of a worker': async (stack, fault, skew) =>
    workerOf(stack, fault).restartWith(skew?.(fault.skewSeconds) ?? {}),
  'skew the clock of an API': async (stack, fault, skew) => apiOf(stack, fault).restartWith(skew?.(fault.skewSeconds) ?? {}),
};

const postgresFaults: readonly FaultKind[] = [
  'freeze Postgres',
  'kill Postgres',
  'kill a backend of Postgres',
  'make Postgres read-only',
  'lock the executions',
  'fill the disk of Postgres',
  'fail over to a standby of Postgres',
];

const workerOf = ({ workers }: Stack, { target }: Fault) => workers[target % workers.length] as ServiceProcess;
const apiOf = ({ apis }: Stack, { target }: Fault) => apis[target % apis.length] as ServiceProcess;

interface Freezable {
  freeze(): void;
  unfreeze(): void;
}

async function freeze(target: Freezable, { durationMs }: Fault): Promise<void> {
  target.freeze();
  await delay(durationMs);
  target.unfreeze();
}

async function kill(server: Stack['postgres'], { durationMs }: Fault): Promise<void> {
  server.kill();
  await delay(durationMs);
  await server.bringUp();
}

async function inRedis({ url }: Stack['redis'], work: (connection: Redis) => Promise<unknown>): Promise<void> {
  const connection = new Redis(url.replace('unix://', ''), { maxRetriesPerRequest: null });
  connection.on('error', () => undefined); // another fault may have taken it down; it reconnects
  try {
    await work(connection);
  } finally {
    connection.disconnect();
  }
}

/** It then refuses all writes that need memory. A restart ends this, too. */
async function fillRedis({ redis }: Stack, { durationMs }: Fault): Promise<void> {
  await inRedis(redis, (connection) => connection.config('SET', 'maxmemory', '1mb'));
  await delay(durationMs);
  await inRedis(redis, (connection) => connection.config('SET', 'maxmemory', '0'));
}

/** As the providers of some databases do while the disk is full. */
async function makeReadOnly({ postgres }: Stack, { durationMs }: Fault): Promise<void> {
  const set = async (value: 'on' | 'off') => {
    await eventually(() => queryDatabase(postgres.url, `ALTER SYSTEM SET default_transaction_read_only = ${value}`)); // it may still recover from another fault
    await queryDatabase(postgres.url, 'SELECT pg_reload_conf()');
  };
  await set('on');
  await delay(durationMs);
  await set('off');
}

/** As `VACUUM FULL` and some changes of a table do. */
async function lockExecutions({ postgres }: Stack, { durationMs }: Fault): Promise<void> {
  const lock = `DO $$ BEGIN LOCK TABLE executions; PERFORM pg_sleep(${durationMs / 1_000}); END $$`;
  await eventually(() => queryDatabase(postgres.url, lock)); // it may still recover from another fault
}

async function cut(gates: readonly Gate[]): Promise<void> {
  for (const gate of gates) gate.cut();
}

async function halfOpen(gates: readonly Gate[]): Promise<void> {
  for (const gate of gates) gate.halfOpen();
}

async function partition(gates: readonly Gate[], { durationMs }: Fault): Promise<void> {
  for (const gate of gates) gate.partition();
  await delay(durationMs);
  for (const gate of gates) gate.heal();
}

/** Kills the primary for good and promotes its standby after `durationMs`. */
async function failOver(stack: Stack, { durationMs }: Fault): Promise<void> {
  const [primary, standby] = [stack.postgres, await stack.startStandby()];
  const [gate, other] = stack.postgresGates;
  other.leadTo(standby.socket);
  primary.kill();
  await delay(durationMs);
  await promote(standby);
  gate.leadTo(undefined);
  stack.postgres = standby;
  stack.postgresGates = [other, gate];
  await primary.stop();
}

/** Postgres may exit while its disk is full, and its supervisor restarts it. */
async function fillDisk({ disk, postgres }: Stack, { durationMs }: Fault): Promise<void> {
  await disk?.fill();
  await delay(durationMs);
  await disk?.empty();
  await postgres.bringUp();
}
