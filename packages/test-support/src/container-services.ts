import { existsSync } from 'node:fs';
import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers';
import type { ServiceName, TestService } from './service-set.ts';

/**
 * In a container, or a VM that looks like one, Testcontainers would use the address of the bridge
 * as the host.
 */
export async function isDockerAvailable(): Promise<boolean> {
  if (existsSync('/.dockerenv')) process.env['TESTCONTAINERS_HOST_OVERRIDE'] ??= '127.0.0.1';
  try {
    await getContainerRuntimeClient();
    return true;
  } catch {
    return false;
  }
}

/**
 * Works without Ryuk, the container that cleans up after a killed run, if its image is not
 * available.
 */
export async function startContainer(name: ServiceName): Promise<TestService> {
  try {
    return await starters[name]();
  } catch (error) {
    if (process.env['TESTCONTAINERS_RYUK_DISABLED'] !== undefined) throw error;
    process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true';
    return starters[name]();
  }
}

const starters: Record<ServiceName, () => Promise<TestService>> = {
  async postgres() {
    const container = await new GenericContainer('postgres:15')
      .withEnvironment({ POSTGRES_USER: 'sluice', POSTGRES_PASSWORD: 'sluice', POSTGRES_DB: 'sluice' })
      .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=300'])
      .withExposedPorts(5432)
      .withHealthCheck({ test: ['CMD-SHELL', 'pg_isready -h 127.0.0.1 -U sluice'], interval: 250, timeout: 1000, retries: 100 })
      .withWaitStrategy(Wait.forHealthCheck())
      .start();
    const url = `postgresql://sluice:sluice@${container.getHost()}:${container.getMappedPort(5432)}/sluice`;
    return { url, stop: () => container.stop() };
  },
  async redis() {
    const container = await new GenericContainer('redis:7')
      .withCommand(['redis-server', '--save', '', '--maxmemory-policy', 'noeviction'])
      .withExposedPorts(6379)
      .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/))
      .start();
    return { url: `redis://${container.getHost()}:${container.getMappedPort(6379)}`, stop: () => container.stop() };
  },
};
