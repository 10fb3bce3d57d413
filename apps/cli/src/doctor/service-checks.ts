import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '@sluice/config';
import { createDatabase, type Database, InstallationHealthRepository, probeDatabase, VaultKeyRepository } from '@sluice/db';
import { errorMessage } from '@sluice/domain';
import { isPortFree, makeRuntimeDirectory } from '@sluice/embedded';
import { checkCanary, KeyRing, Vault } from '@sluice/vault';
import { findEmbeddedPostgres } from '../administration/administer.ts';
import type { Finding } from '../checks/finding.ts';
import { checkDatabase, checkRedis, checkReplica } from '../checks/service-checks.ts';
import { localUrl } from '../local-url.ts';
import { requireMasterKeys } from '../master-key-file.ts';
import { readinessOf } from '../up/ready.ts';

/** Result of one group of checks. */
export interface Checked {
  subject: string;
  findings: Finding[];
}

/** Checks Postgres, its replica, Redis, the master key, the workers, and the API. */
export async function serviceChecks(config: Config): Promise<Checked[]> {
  const databaseUrl = config.database.url ?? (await findEmbeddedPostgres(config));
  const redisUrl = config.redis.url ?? (await embeddedRedis(config));
  const isUp = config.database.url === null && databaseUrl !== undefined;
  const { readUrl } = config.database;
  const [database, replica, redis, api] = await Promise.all([
    databaseUrl === undefined ? [] : checkDatabase(databaseUrl),
    readUrl === null ? [] : checkReplica(readUrl),
    redisUrl === undefined ? [] : checkRedis(redisUrl),
    checkApi(config, { expected: isUp }),
  ]);
  const canConnect = databaseUrl !== undefined && database.every(({ level }) => level !== 'error');
  const content = canConnect ? await checkContent(databaseUrl, config) : [];
  const nameOf = (url: string | undefined, name: string) =>
    url === undefined ? `${name} (\`sluice up\` is not running)` : name;
  return [
    { subject: nameOf(databaseUrl, 'Postgres'), findings: database },
    ...(readUrl === null ? [] : [{ subject: 'read replica', findings: replica }]),
    { subject: nameOf(redisUrl, 'Redis'), findings: redis },
    { subject: 'database content', findings: content },
    { subject: 'API', findings: api },
  ];
}

async function embeddedRedis({ home }: Config): Promise<string | undefined> {
  if (!existsSync(home)) return undefined;
  const socket = join(await makeRuntimeDirectory(home), 'redis.sock');
  return existsSync(socket) ? `unix://${socket}` : undefined;
}

async function checkContent(url: string, config: Config): Promise<Finding[]> {
  const { pendingMigrations } = await probeDatabase(url);
  if (pendingMigrations.length > 0) {
    const message = `${pendingMigrations.length} migrations have not run`;
    return [{ level: 'error', check: 'migrations', message, fix: 'run `sluice migrate`, or start `sluice up`' }];
  }
  const db = createDatabase({ url, poolSize: 2, applicationName: 'sluice-doctor' });
  try {
    return [...(await checkKey(db, config)), ...(await checkInstallation(db, config))];
  } finally {
    await db.close();
  }
}

async function checkKey(db: Database, config: Config): Promise<Finding[]> {
  try {
    const keys = await requireMasterKeys(config);
    await checkCanary(new Vault(KeyRing.parse(keys)), new VaultKeyRepository(db.kysely));
    return [];
  } catch (error) {
    const fix = 'set ENCRYPTION_KEY to the key of this database, or put the right master.key into SLUICE_HOME';
    return [{ level: 'error', check: 'wrong-master-key', message: errorMessage(error), fix }];
  }
}

/** Connections outside the pool of `DATABASE_POOL_SIZE`, such as those of a worker's lease. */
const outsidePool = { api: 1, worker: 5 };

async function checkInstallation(db: Database, { worker, database }: Config): Promise<Finding[]> {
  const { liveWorkers, oldestQueuedMs, maxConnections } = await new InstallationHealthRepository(db.kysely).read();
  const findings: Finding[] = [];
  if (liveWorkers === 0)
    findings.push({
      level: 'warning',
      check: 'no-worker',
      message: 'no worker is running: executions are accepted but do not start',
      fix: 'start `sluice worker`, or `sluice up` with WORKERS set to 1 or more',
    });
  if (liveWorkers > 0 && oldestQueuedMs > 60_000)
    findings.push({
      level: 'warning',
      check: 'old-queue',
      message: `the oldest queued execution has waited for ${Math.round(oldestQueuedMs / 1000)} s`,
      fix: 'start more workers, raise CONCURRENCY, or check whether a concurrency limit blocks executions (docs/scaling.md)',
    });
  const needed = database.poolSize + outsidePool.api + worker.count * (database.poolSize + outsidePool.worker);
  if (needed > maxConnections)
    findings.push({
      level: 'warning',
      check: 'max-connections',
      message: `one API and ${worker.count} workers need ${needed} connections, but Postgres allows only ${maxConnections}`,
      fix: 'lower DATABASE_POOL_SIZE or WORKERS, raise max_connections, or use a pooler (docs/operations.md)',
    });
  return findings;
}

/**
 * A free port is a problem only if `sluice up` is running, which `expected` says: otherwise the API
 * may run elsewhere.
 */
async function checkApi({ http }: Config, { expected }: { expected: boolean }): Promise<Finding[]> {
  if (http.port === 0) return [];
  const url = localUrl(http.host, http.port);
  if (await isPortFree(http.port, http.host)) {
    if (!expected) return [];
    return [
      {
        level: 'error',
        check: 'api-down',
        message: `nothing listens on ${url}`,
        fix: 'check the log of the API in SLUICE_HOME/logs',
      },
    ];
  }
  try {
    const { status, text } = await readinessOf(url);
    if (status === 200) return [];
    if (status === 503)
      return [
        {
          level: 'error',
          check: 'api-not-ready',
          message: `the API is not ready: ${text}`,
          fix: 'fix the problems above that it waits for',
        },
      ];
    throw new Error(`it responded with status ${status}`);
  } catch (error) {
    const message = `another program listens on ${url}: ${errorMessage(error)}`;
    return [{ level: 'error', check: 'port-taken', message, fix: 'stop that program, or set PORT to a free port' }];
  }
}
