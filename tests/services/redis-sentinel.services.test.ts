import { afterAll, expect, test } from '@jest/globals';
import { createLogger } from '@sluice/logger';
import { closeRedis, createRedis, discoverEndpoints, redisEndpoints } from '@sluice/queue';
import { eventually } from '@sluice/test-support';
import { serverOrSkip, startSentinelServers } from '@sluice/test-support/servers';
import { stopIn } from '../e2e/support/cleanup.ts';
import { LoopbackServer } from '../e2e/support/loopback-server.ts';
import { startOwnPostgres } from '../e2e/support/own-servers.ts';
import { createWorkflow } from '../e2e/support/runs.ts';
import { callsInARow } from '../e2e/support/workflows.ts';
import { Load, untilAllSucceeded } from './support/load.ts';
import { startSmallFleet } from './support/small-fleet.ts';

const redis = await serverOrSkip('Redis Sentinel', () => startSentinelServers({ redis: 'of-redis', sentinel: 'of-sentinels' }));
const withRedis = redis ? test : test.skip;
const stopAfterAll = stopIn(afterAll);
afterAll(() => redis?.close());

const hosts = redis?.sentinels.map(({ host, port }) => `${host}:${port}`).join(',');
const url = `redis+sentinel://:of-redis@${hosts}/mine?sentinelPassword=of-sentinels`;

withRedis('the sentinels, the master, and its replicas are discovered as endpoints', async () => {
  const client = createRedis(url, 'producer', createLogger({ name: 'test', level: 'silent' }));
  const endpoints = redisEndpoints(url);
  discoverEndpoints(client, (endpoint) => endpoints.push(endpoint));
  const all = [...(redis?.sentinels ?? []), ...(redis?.servers ?? [])].map(({ port }) => port);
  await eventually(() => expect(new Set(endpoints.map(({ port }) => port))).toEqual(new Set(all))).finally(() =>
    closeRedis(client),
  );
});

withRedis('a failover by Sentinel under load loses no execution and repeats no node', async () => {
  const postgres = stopAfterAll(await startOwnPostgres());
  const server = stopAfterAll(await LoopbackServer.start());
  const fleet = stopAfterAll(await startSmallFleet({ DATABASE_URL: postgres.url, REDIS_URL: url }));
  const workflowId = await createWorkflow(fleet.callers[0], callsInARow(server.url, ['/effect']));

  const load = stopAfterAll(new Load(fleet.callers, workflowId));
  await load.more(100);
  await redis?.servers[0]?.kill();
  await load.more(100);

  expect(await load.outcomes()).toEqual({ success: load.accepted.length });
  await untilAllSucceeded(postgres.url, () => server.calls('/effect'));
});
