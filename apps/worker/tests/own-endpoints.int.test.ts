import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { findFreePort } from '@sluice/embedded';
import { aChain, aNode, eventually, testRedisUrl } from '@sluice/test-support';
import pg from 'pg';
import { ownerKey } from './support/call-api.ts';
import { Fleet } from './support/fleet.ts';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/**
 * A TCP port that forwards to a server, which may listen on a socket. The settings of a fleet refer
 * to its Postgres and Redis by such ports.
 */
async function portTo(address: { path: string } | { host: string; port: number }): Promise<number> {
  const server = createServer((socket) => {
    const target = connect(address);
    socket.on('error', () => target.destroy()).pipe(target);
    target.on('error', () => socket.destroy()).pipe(socket);
  });
  server.listen(0);
  await once(server, 'listening');
  servers.push(server);
  return (server.address() as AddressInfo).port;
}

/** Ports of Redis and Postgres, as in the settings of a fleet. */
async function ownStores(databaseUrl: string) {
  const redisUrl = testRedisUrl();
  const redisAt = redisUrl.startsWith('unix://')
    ? { path: redisUrl.slice('unix://'.length) }
    : { host: new URL(redisUrl).hostname, port: Number(new URL(redisUrl).port) };
  const { host, port, user = '', password, database = '' } = new pg.Client({ connectionString: databaseUrl });
  const postgresAt = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  const [redis, postgres] = [await portTo(redisAt), await portTo(postgresAt)];
  const login = { database, user, password: password ?? '' };
  const secret = login.password === '' ? '' : `:${encodeURIComponent(login.password)}`;
  return {
    redis,
    postgres,
    login,
    settings: {
      REDIS_URL: Object.assign(new URL(redisUrl.startsWith('unix://') ? 'redis://x' : redisUrl), {
        hostname: 'localhost',
        port: String(redis),
      }).href,
      DATABASE_URL: `postgres://${user}${secret}@localhost:${postgres}/${database}`,
    },
  };
}

interface Attack {
  type: string;
  typeVersion?: number;
  parameters: JsonObject;
  credential?: { type: string; data: JsonObject };
}

describe.each(['on', 'strict', 'off'])('a project member, with SSRF_PROTECTION=%s', (mode) => {
  async function fleetWith(more: Record<string, string> = {}, allow: (ports: { redis: number }) => string = () => '') {
    const fleet = await Fleet.start({ SSRF_PROTECTION: mode, RATE_LIMIT_MAX: '1000000', ...more });
    const stores = await ownStores(fleet.databaseUrl);
    // The worker reads the API's ports from their shared settings.
    const ports = { PORT: String(await findFreePort()), METRICS_PORT: String(await findFreePort()) };
    fleet.change({
      ...stores.settings,
      ...ports,
      SSRF_ALLOW: ['127.0.0.0/8', '::1', 'localhost', allow(stores)].filter(Boolean).join(','),
    });
    const worker = await fleet.work();
    const api = await fleet.serve();
    return { fleet, stores, worker, api };
  }

  const credentialOf = async (fleet: Fleet, { type, data }: NonNullable<Attack['credential']>) => {
    const { status, body } = await fleet.call('POST', '/credentials', { name: type, type, data });
    expect([status, body.message]).toEqual([201, undefined]);
    return { [type]: { id: body.id, name: type } };
  };

  const workflowOf = async (fleet: Fleet, { credential, ...rest }: Attack, before: { name: string; type: string }[] = []) => {
    const node = aNode({ name: 'Attack', ...rest });
    if (credential) node.credentials = await credentialOf(fleet, credential);
    const { status, body } = await fleet.call('POST', '/workflows', aChain([...before.map((one) => aNode(one)), node]));
    expect([status, body.message]).toEqual([201, undefined]);
    return body.id as string;
  };

  /** The error of a run of the node, or `null`. */
  const run = async (fleet: Fleet, attack: Attack) => {
    const id = await workflowOf(fleet, attack, [{ name: 'Start', type: 'base.manual-trigger' }]);
    const started = await fleet.call('POST', `/workflows/${id}/run`, {}, { prefer: 'respond-async' });
    expect(started.status).toBeLessThan(300);
    return eventually(async () => {
      const { body } = await fleet.call('GET', `/executions?workflowId=${id}&includeData=true`);
      const [execution] = body.data;
      expect(['success', 'error']).toContain(execution?.status);
      return execution.status === 'success' ? null : JSON.stringify(execution.data.resultData);
    });
  };

  const redisNode = (host: string, port: number): Attack => ({
    type: 'base.redis',
    parameters: { operation: 'get', key: 'x', propertyName: 'x', keyType: 'string' },
    credential: { type: 'redis', data: { host, port, database: 0 } },
  });

  const cannotReachPorts = async (fleet: Fleet, ports: Record<string, number | null>) => {
    for (const [name, port] of Object.entries(ports))
      for (const host of name === 'api' ? ['localhost', '[::ffff:127.0.0.1]', '127.0.0.2'] : ['127.0.0.1']) {
        const parameters = { url: `http://${host}:${port}/readyz`, options: {} };
        expect([name, host, await run(fleet, { type: 'base.http-request', typeVersion: 4.2, parameters })]).toEqual([
          name,
          host,
          expect.stringMatching(/not allowed|HTTP_BLOCKED/),
        ]);
      }
  };

  const reachesOnlyTheApi = async (fleet: Fleet, port: number) => {
    const credential = { type: 'n8nApi', data: { apiKey: ownerKey } };
    const parameters = { resource: 'workflow', operation: 'getAll', returnAll: false, limit: 1 };
    expect(await run(fleet, { type: 'base.n8n', parameters, credential })).toBeNull();
    const { body } = await fleet.call('POST', '/credentials/test', { credentials: { id: '', ...credential } });
    expect(body).toMatchObject({ status: 'success' });
    const authentication = { authentication: 'predefinedCredentialType', nodeCredentialType: 'n8nApi', options: {} };
    for (const path of ['/api/v1/workflows', '/readyz', '/api/v1/../../readyz']) {
      const parameters = { ...authentication, url: `http://127.0.0.1:${port}${path}` };
      const error = await run(fleet, { type: 'base.http-request', typeVersion: 4.2, parameters, credential });
      expect([path, error]).toEqual([path, path.endsWith('s') ? null : expect.stringContaining('HTTP_BLOCKED')]);
    }
  };

  test('cannot connect to Postgres, Redis, or ports of the service from a node, a trigger, or a credential test, except to the API with its credential', async () => {
    const { fleet, stores, worker, api } = await fleetWith();
    try {
      for (const host of ['localhost', '127.0.0.1', '::ffff:127.0.0.1', '0.0.0.0'])
        expect([host, await run(fleet, redisNode(host, stores.redis))]).toEqual([host, expect.stringMatching(/not allowed/)]);
      for (const host of ['localhost', '127.0.0.1']) {
        const query = { operation: 'executeQuery', query: 'SELECT 1' };
        const data = { host, port: stores.postgres, ...stores.login };
        const node = { type: 'base.postgres', typeVersion: 2.6, parameters: query, credential: { type: 'postgres', data } };
        expect(await run(fleet, node)).toMatch(/not allowed/);
      }
      await cannotReachPorts(fleet, {
        api: api.port,
        metrics: api.metricsPort,
        health: worker.healthPort,
        redis: stores.redis,
      });
      await reachesOnlyTheApi(fleet, api.port);
      const trigger = {
        type: 'base.redis-trigger',
        parameters: { channels: '*' },
        credential: redisNode('localhost', stores.redis).credential,
      };
      const id = await workflowOf(fleet, trigger as Attack);
      expect((await fleet.call('POST', `/workflows/${id}/activate`)).status).toBe(200);
      await eventually(async () => {
        const [source] = (await fleet.call('GET', `/workflows/${id}/triggers`)).body.data;
        expect(JSON.stringify(source.lastError)).toMatch(/not allowed/);
      });
      const tests = [
        { type: 'redis', data: { host: 'localhost', port: stores.redis } },
        { type: 'postgres', data: { host: '127.0.0.1', port: stores.postgres, ssl: 'disable', ...stores.login } },
        { type: 'httpBasicAuth', data: { user: 'u', password: 'p', testUrl: `http://127.0.0.1:${api.port}/healthz` } },
      ];
      for (const credentials of tests) {
        const { body } = await fleet.call('POST', '/credentials/test', { credentials: { id: '', ...credentials } });
        expect([credentials.type, body.status, body.message]).toEqual([
          credentials.type,
          'error',
          expect.stringMatching(/not allowed/),
        ]);
      }
    } finally {
      await fleet.close();
    }
  });

  test('can connect to them if SSRF_ALLOW names the host and the port', async () => {
    const { fleet, stores } = await fleetWith({}, ({ redis }) => `127.0.0.1:${redis}`);
    try {
      expect(await run(fleet, redisNode('127.0.0.1', stores.redis))).toBeNull();
      expect(await run(fleet, redisNode('127.0.0.2', stores.redis))).toMatch(/not allowed/);
    } finally {
      await fleet.close();
    }
  });
});
