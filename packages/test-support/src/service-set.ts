/** A Postgres or a Redis for tests. */
export interface TestService {
  url: string;
  stop(): Promise<unknown>;
}

export type ServiceName = 'postgres' | 'redis';

/** Starts services concurrently. If one fails, stops the others and rejects with its error. */
export async function startAll<Name extends ServiceName>(
  names: readonly Name[],
  start: (name: Name) => Promise<TestService>,
): Promise<Map<ServiceName, TestService>> {
  const results = await Promise.allSettled(names.map(start));
  const started = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    await Promise.all(started.map((service) => service.stop()));
    throw failed.reason;
  }
  return new Map(names.map((name, index) => [name, started[index] as TestService]));
}
