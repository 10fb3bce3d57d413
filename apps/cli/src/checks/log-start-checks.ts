import { readEnv, toConfig } from '@sluice/config';
import { createLogger } from '@sluice/logger';
import type { AppName } from '../entries.ts';
import { checkStart, refuse } from './check-start.ts';
import type { Finding } from './finding.ts';

/**
 * Checks settings and services of a process that starts alone, and logs one line for each finding. An
 * API starts without its services and waits for them, so its checks run in parallel; a worker needs
 * its database. Throws if the worker cannot reach that.
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
