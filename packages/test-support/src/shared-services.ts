/**
 * Passed through environment variables from the global setup to the test files, which run in other
 * processes.
 */
interface SharedServices {
  databaseUrl: string;
  redisUrl: string;
  /** A migrated database without connections: test databases are cloned from it. */
  templateName: string;
}

const names: Record<keyof SharedServices, string> = {
  databaseUrl: 'SLUICE_SHARED_TEST_DATABASE_URL',
  redisUrl: 'SLUICE_SHARED_TEST_REDIS_URL',
  templateName: 'SLUICE_SHARED_TEST_TEMPLATE',
};

export function shareServices(services: SharedServices): void {
  for (const [key, name] of Object.entries(names)) process.env[name] = services[key as keyof SharedServices];
}

export function sharedServices(): SharedServices {
  const read = (name: string): string => {
    const value = process.env[name];
    if (value === undefined) throw new Error('test services run in the integration and e2e projects only');
    return value;
  };
  return { databaseUrl: read(names.databaseUrl), redisUrl: read(names.redisUrl), templateName: read(names.templateName) };
}
