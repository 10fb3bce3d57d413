import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type Config, readEnv, toConfig } from '@sluice/config';
import { type AuditActor, AuditTrail, assertMigrated, createDatabase, type Database, probeDatabase } from '@sluice/db';
import { findPostgres, makeRuntimeDirectory } from '@sluice/embedded';

/** Like `withDatabase`; the first transaction of `work` writes the audit line of this action. */
export async function administer<T>(action: string, work: (db: Database) => Promise<T>): Promise<T> {
  return withDatabase((db) => audited(action, () => work(db)));
}

/**
 * Makes the first transaction of `work` write the audit line of this action: for commands with
 * several steps.
 */
export function audited<T>(action: string, work: () => Promise<T>): Promise<T> {
  return new AuditTrail({ actor: localActor(), action }).follow(work);
}

/**
 * Runs `work` on the database of `DATABASE_URL`, or else of a running `sluice up` in `SLUICE_HOME`.
 * Throws if there is none, or it has not been migrated.
 */
export async function withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const config = toConfig(readEnv());
  const url = config.database.url ?? (await embeddedUrl(config));
  await probeDatabase(url); // its error names the host, the port, and the cause
  const db = createDatabase({ url, poolSize: 2, applicationName: 'sluice-cli' });
  try {
    await assertMigrated(db);
    return await work(db);
  } finally {
    await db.close();
  }
}

/** Creates nothing, so that a mistyped home stays unchanged. */
async function embeddedUrl({ home }: Config): Promise<string> {
  const dataDir = join(home, 'postgres');
  const url = existsSync(dataDir) ? await findPostgres({ dataDir, runtimeDir: await makeRuntimeDirectory(home) }) : undefined;
  if (url !== undefined) return url;
  throw new Error(`there is no database: \`sluice up\` does not run in ${home}; start it, or set SLUICE_HOME or DATABASE_URL`);
}

function localActor(): AuditActor {
  return { actor: `cli:${userName()}`, userId: null, keyId: null, ip: null, requestId: null };
}

/** Users of containers often have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.geteuid?.());
  }
}
