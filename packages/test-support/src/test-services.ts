import { isDockerAvailable, startContainer } from './container-services.ts';
import { startEmbedded } from './embedded-services.ts';
import { type ServiceName, startAll, type TestService } from './service-set.ts';

/** A Postgres and a Redis for a test run. */
interface TestServices {
  databaseUrl: string;
  redisUrl: string;
  stop(): Promise<void>;
}

/**
 * Uses `TEST_DATABASE_URL` and `TEST_REDIS_URL` if set, else containers if a Docker engine is
 * available, else the embedded services.
 */
export async function startTestServices(): Promise<TestServices> {
  const configured = new Map<ServiceName, string | undefined>([
    ['postgres', process.env['TEST_DATABASE_URL']],
    ['redis', process.env['TEST_REDIS_URL']],
  ]);
  const started = await startOwn([...configured.keys()].filter((name) => !configured.get(name)));
  const urlOf = (name: ServiceName): string => configured.get(name) || (started.get(name) as TestService).url;
  return {
    databaseUrl: urlOf('postgres'),
    redisUrl: urlOf('redis'),
    async stop() {
      await Promise.all([...started.values()].map((service) => service.stop()));
    },
  };
}

async function startOwn(names: readonly ServiceName[]): Promise<Map<ServiceName, TestService>> {
  if (names.length > 0 && (await isDockerAvailable())) {
    try {
      return await startAll(names, startContainer);
    } catch (error) {
      process.stderr.write(
        `tests: Docker is available but cannot start our containers (${String(error)}); using the embedded services\n`,
      );
    }
  }
  return startAll(names, startEmbedded);
}
