import { type DatabaseFacts, probeDatabase } from '@sluice/db';
import { errorMessage } from '@sluice/domain';
import { probeRedis, type RedisFacts } from '@sluice/queue';
import type { Finding } from './finding.ts';

const oldestPostgres = 150_000;
const oldestRedis = [6, 2] as const;
/** A larger difference is reported. The measurement itself is off by up to half a round trip. */
const maxClockDifferenceMs = 5_000;

/**
 * Checks the database at `url`, which comes from the variable `setting`. Takes less than five
 * seconds; never throws.
 */
export async function checkDatabase(
  url: string,
  setting: 'DATABASE_URL' | 'DATABASE_READ_URL' = 'DATABASE_URL',
): Promise<Finding[]> {
  try {
    return databaseFindings(await probeDatabase(url, { allowStandby: setting === 'DATABASE_READ_URL' }));
  } catch (error) {
    return [unreachable('database-unreachable', error, setting)];
  }
}

/**
 * Checks the database at `DATABASE_READ_URL`. Problems are warnings: while it is down, lists are
 * read from the primary.
 */
export async function checkReplica(url: string): Promise<Finding[]> {
  const findings = await checkDatabase(url, 'DATABASE_READ_URL');
  return findings.map((finding) => ({ ...finding, level: 'warning' }));
}

/** Checks the Redis server at `url`. Takes less than five seconds; never throws. */
export async function checkRedis(url: string): Promise<Finding[]> {
  try {
    return redisFindings(await probeRedis(url));
  } catch (error) {
    return [unreachable('redis-unreachable', error, 'REDIS_URL')];
  }
}

function unreachable(check: string, error: unknown, setting: string): Finding {
  const fix = `start it and check that this machine can reach it, or correct ${setting}`;
  return { level: 'error', check, message: errorMessage(error), fix };
}

export function databaseFindings({ serverVersion, clockAheadMs, unknownMigrations, isPreRelease }: DatabaseFacts): Finding[] {
  const findings: Finding[] = [];
  if (serverVersion < oldestPostgres)
    findings.push({
      level: 'error',
      check: 'database-version',
      message: `Postgres ${Math.floor(serverVersion / 10_000)} is too old`,
      fix: 'upgrade it to 15 or newer',
    });
  if (isPreRelease)
    findings.push({
      level: 'error',
      check: 'database-pre-release',
      message: 'a pre-release version created this database',
      fix: 'start with an empty database',
    });
  else if (unknownMigrations.length > 0)
    findings.push({
      level: 'warning',
      check: 'database-newer',
      message: `a newer release has migrated this database; this release does not know ${unknownMigrations.join(', ')}`,
      fix: 'start the newer release; during an upgrade, only the release before it can use the database too (docs/operations.md)',
    });
  if (Math.abs(clockAheadMs) > maxClockDifferenceMs)
    findings.push({
      level: 'warning',
      check: 'clock-skew',
      message: `the clock of the database is ${Math.round(Math.abs(clockAheadMs) / 1000)} s ${clockAheadMs > 0 ? 'ahead of' : 'behind'} the clock of this machine`,
      fix: 'synchronize both clocks (NTP): schedules, leases, and tokens compare them',
    });
  return findings;
}

export function redisFindings({ version, evictionPolicies, writeProblems }: RedisFacts): Finding[] {
  const findings: Finding[] = [];
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (version !== '' && (major < oldestRedis[0] || (major === oldestRedis[0] && minor < oldestRedis[1])))
    findings.push({
      level: 'error',
      check: 'redis-version',
      message: `Redis ${version} is too old`,
      fix: 'upgrade it to 6.2 or newer',
    });
  if (writeProblems.length > 0)
    findings.push({
      level: 'error',
      check: 'redis-writes',
      message: `Redis accepts no writes: ${writeProblems.join(', ')}`,
      fix: 'raise maxmemory, free space on its disk, or set REDIS_URL to the master; until then, no execution starts',
    });
  if (evictionPolicies.length > 0)
    findings.push({
      level: 'warning',
      check: 'redis-eviction',
      message: `Redis evicts keys when its memory is full (maxmemory-policy ${evictionPolicies.join(', ')}): queued jobs can be lost, and their executions then start up to a minute late`,
      fix: 'set maxmemory-policy to noeviction in its configuration, or with CONFIG SET maxmemory-policy noeviction',
    });
  return findings;
}
