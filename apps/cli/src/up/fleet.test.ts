import { expect, test } from '@jest/globals';
import { type RawEnv, toConfig } from '@sluice/config';
import { planFleet } from './fleet.ts';

const services = { databaseUrl: 'postgres://localhost/x', redisUrl: 'redis://localhost', masterKeys: ['k'] };

async function portsOf(env: RawEnv): Promise<(string | undefined)[]> {
  const members = await planFleet(toConfig({ PORT: '5678', METRICS_PORT: '5680', WORKERS: '3', ...env }), services);
  return members.filter(({ name }) => name.startsWith('worker')).map(({ env: { WORKER_PORT } }) => WORKER_PORT);
}

test('the first worker gets WORKER_PORT; the others get the next free ports', async () => {
  expect(await portsOf({ WORKER_PORT: '5679' })).toEqual(['5679', '5681', '5682']);
});

test('without WORKER_PORT, each worker gets a free port', async () => {
  const ports = await portsOf({});
  expect(new Set(ports).size).toBe(3);
  expect(ports).not.toContain('0');
});
