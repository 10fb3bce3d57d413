import type { Config } from '@sluice/config';
import { ExitError, exitCodes } from '../exit-codes.ts';
import { type Finding, findingText } from './finding.ts';
import { checkDatabase, checkRedis, checkReplica } from './service-checks.ts';
import { settingFindings } from './setting-checks.ts';

/** Checks settings and configured services before anything starts. Takes less than five seconds. */
export async function checkStart({ database, redis }: Config): Promise<Finding[]> {
  const findings = await Promise.all([
    settingFindings(),
    database.url === null ? [] : checkDatabase(database.url),
    database.readUrl === null ? [] : checkReplica(database.readUrl),
    redis.url === null ? [] : checkRedis(redis.url),
  ]);
  return findings.flat();
}

/** Throws an error that lists the findings that keep the service from working. */
export function refuse(findings: readonly Finding[], summary: string): void {
  const errors = findings.filter(({ level }) => level === 'error');
  if (errors.length === 0) return;
  const code = errors.some(({ check }) => check.endsWith('-unreachable')) ? exitCodes.unavailable : exitCodes.failed;
  throw new ExitError(code, `${summary}\n${errors.map(findingText).join('\n')}`);
}
