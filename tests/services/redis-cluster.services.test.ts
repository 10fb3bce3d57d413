import { afterAll, expect, test } from '@jest/globals';
import { createLogger } from '@sluice/logger';
import { closeRedis, createRedis, discoverEndpoints, redisEndpoints } from '@sluice/queue';
import { eventually } from '@sluice/test-support';
import { type RedisCluster, serverOrSkip, startRedisCluster, type TestServer } from '@sluice/test-support/servers';
import { Redis } from 'ioredis';
import { stopIn } from '../e2e/support/cleanup.ts';
import { LoopbackServer } from '../e2e/support/loopback-server.ts';
import { startOwnPostgres } from '../e2e/support/own-servers.ts';
import { createWorkflow, run } from '../e2e/support/runs.ts';
import { callsInARow } from '../e2e/support/workflows.ts';
import { Load, untilAllSucceeded } from './support/load.ts';
import { startSmallFleet } from './support/small-fleet.ts';

const redis = await serverOrSkip('Redis Cluster', startRedisCluster);
const withRedis = redis ? test : test.skip;
const stopAfterAll = stopIn(afterAll);
afterAll(() => redis?.close());

const url = `redis+cluster://127.0.0.1:${redis?.nodes[0]?.port},127.0.0.1:${redis?.nodes[1]?.port}`;

withRedis('every node of the cluster is discovered as an endpoint', async () => {
  const client = createRedis(url, 'producer', createLogger({ name: 'test', level: 'silent' }));
  const endpoints = redisEndpoints(url);
  discoverEndpoints(client, (endpoint) => endpoints.push(endpoint));
  const all = redis?.nodes.map(({ port }) => port);
  await eventually(() => expect(new Set(endpoints.map(({ port }) => port))).toEqual(new Set(all))).finally(() =>
    closeRedis(client),
  );
});

withRedis('killing a master of the cluster under load loses no execution and repeats no node', async () => {
  const postgres = stopAfterAll(await startOwnPostgres());
  const server = stopAfterAll(await LoopbackServer.start());
  const settings = { QUEUE_SHARDS: '8' };
  const fleet = stopAfterAll(await startSmallFleet({ DATABASE_URL: postgres.url, REDIS_URL: url }, settings));
  const workflowId = await createWorkflow(fleet.callers[0], callsInARow(server.url, ['/effect']));

  const load = stopAfterAll(new Load(fleet.callers, workflowId));
  await load.more(100);
  expect((await mastersOf(redis as RedisCluster, '*:executions:*')).length).toBeGreaterThan(1);
  const [signalMaster] = await mastersOf(redis as RedisCluster, '{sluice}:executions:*');
  await signalMaster?.kill();
  await load.more(100);

  expect(await load.outcomes()).toEqual({ success: load.accepted.length });
  await untilAllSucceeded(postgres.url, () => server.calls('/effect'));
  await eventually(async () => expect((await run(fleet.callers[1], workflowId)).status).toBe('success'));
});

/** Masters with keys that match the pattern. */
async function mastersOf({ nodes }: RedisCluster, pattern: string): Promise<TestServer[]> {
  const masters: TestServer[] = [];
  for (const server of nodes) {
    const node = new Redis({ host: server.host, port: server.port });
    const isMaster = (await node.role())[0] === 'master';
    if (isMaster && (await node.keys(pattern)).length > 0) masters.push(server);
    node.disconnect();
  }
  return masters;
}
