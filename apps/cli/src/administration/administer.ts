import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type Config, readEnv, toConfig } from '@sluice/config';
import { type AuditActor, AuditTrail, assertMigrated, createDatabase, type Database, probeDatabase } from '@sluice/db';
import { findPostgres, makeRuntimeDirectory } from '@sluice/embedded';

/** Like `withDatabase`; the first transaction of `work` records `action` in the audit log. */
export async function administer<T>(action: string, work: (db: Database) => Promise<T>): Promise<T> {
  return withDatabase((db) => audited(action, () => work(db)));
}

/**
 * Records `action` in the audit log, in the first transaction of `work`. For commands that record
 * several actions.
 */
export function audited<T>(action: string, work: () => Promise<T>): Promise<T> {
  return new AuditTrail({ actor: localActor(), action }).follow(work);
}

/**
 * Connects to `DATABASE_URL` or, if that is not set, to the database of the `sluice up` that runs
 * in `SLUICE_HOME`. Throws if there is no database or if it has not been migrated.
 */
export async function withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const config = toConfig(readEnv());
  const url = config.database.url ?? (await embeddedUrl(config));
  await probeDatabase(url, { allowStandby: true }); // its error names the host, the port, and the cause
  const db = createDatabase({ url, poolSize: 2, applicationName: 'sluice-cli' });
  try {
    await assertMigrated(db);
    return await work(db);
  } finally {
    await db.close();
  }
}

async function embeddedUrl(config: Config): Promise<string> {
  const url = await findEmbeddedPostgres(config);
  if (url !== undefined) return url;
  const fix = 'start it, or set SLUICE_HOME or DATABASE_URL';
  throw new Error(`no database found: \`sluice up\` is not running in ${config.home}; ${fix}`);
}

/**
 * The URL of the Postgres of a running `sluice up`; `undefined` if none runs. Does not create the
 * home folder: a typo in `SLUICE_HOME` must not leave one behind.
 */
export async function findEmbeddedPostgres({ home }: Config): Promise<string | undefined> {
  const dataDir = join(home, 'postgres');
  return existsSync(dataDir) ? findPostgres({ dataDir, runtimeDir: await makeRuntimeDirectory(home) }) : undefined;
}

function localActor(): AuditActor {
  return { actor: `cli:${userName()}`, userId: null, keyId: null, ip: null, requestId: null };
}

/** In a container, the user ID often has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.geteuid?.());
  }
}
