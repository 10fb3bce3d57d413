import { readEnv, toConfig } from '@sluice/config';
import { createLogger } from '@sluice/logger';
import type { AppName } from '../entries.ts';
import { checkStart, refuse } from './check-start.ts';
import type { Finding } from './finding.ts';

/**
 * Checks the settings and services of an API or worker that runs without `sluice up`, and logs one
 * line per finding. An API starts even if its services are down, so its checks run in the
 * background. A worker needs its database: throws if the database is unreachable.
 */
export async function logStartChecks(app: AppName): Promise<void> {
  const config = toConfig(readEnv());
  const logger = createLogger({ name: app, level: config.logLevel, keyHeader: config.http.keyHeader });
  const log = ({ level, check, message, fix }: Finding) =>
    logger[level === 'error' ? 'error' : 'warn']({ check, fix }, message);
  const checked = checkStart(config).then((findings) => {
    findings.forEach(log);
    return findings;
  });
  if (app === 'worker')
    refuse(
      (await checked).filter(({ check }) => check === 'database-unreachable'),
      'cannot start',
    );
}
