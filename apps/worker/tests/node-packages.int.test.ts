import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLogger } from '@sluice/logger';
import { aNode } from '@sluice/test-support';
import { Fleet } from './support/fleet.ts';

const warnings: { package?: string; reason?: string }[] = [];
const logger = createLogger({ name: 'test', level: 'silent' });
logger.warn = (fields: object) => void warnings.push(fields);

const greet = `export default {
  description: {
    displayName: 'Greet', name: 'greet', group: ['output'], version: [1, 2], description: 'Greets somebody',
    defaults: { name: 'Greet' }, inputs: ['main'], outputs: ['main'], credentials: [{ name: 'greeterApi', required: true }],
    usableAsTool: true,
    properties: [
      { displayName: 'Address', name: 'url', type: 'string', default: '' },
      { displayName: 'Name', name: 'who', type: 'string', default: '' },
    ],
  },
  async execute(context) {
    const authentication = await context.authentication('greeterApi', 0);
    const items = context.items().map(async (_, index) => {
      const url = context.parameter('url', index) + '/' + context.parameter('who', index);
      const { body } = await context.http.request({ method: 'GET', url, authentication }, context.signal);
      return { json: { received: Buffer.from(body).toString(), version: context.typeVersion }, pairedItem: index };
    });
    return [await Promise.all(items)];
  },
};`;
const greeterApi = `export default {
  name: 'greeterApi', displayName: 'Greeter',
  properties: [{ displayName: 'Token', name: 'token', type: 'string', default: '', required: true, typeOptions: { password: true } }],
  authenticate: { headers: { Authorization: 'Bearer {token}' } },
};`;

let fleet: Fleet;
let folder: string;
let server: Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nodes-'));
  await aPackage(
    '@acme/greeter',
    { nodes: ['greet.js'], credentials: ['greeter-api.js'] },
    { 'greet.js': greet, 'greeter-api.js': greeterApi },
  );
  await aPackage('broken', { nodes: ['none.js'] }, {});
  await aPackage('other', { nodes: ['greet.js'] }, { 'greet.js': greet });
  server = createServer((request, response) => response.end(`${request.url} ${request.headers.authorization}`)).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  fleet = await Fleet.start({ SSRF_PROTECTION: 'off', SLUICE_NODES_DIR: folder, SLUICE_NODES_ALLOW: '@acme/*,broken' });
  await fleet.work({ logger });
  await fleet.serve({ logger });
});
afterAll(async () => {
  await fleet.close();
  server.close();
  await rm(folder, { recursive: true });
});

async function aPackage(name: string, sluice: object, files: Record<string, string>): Promise<void> {
  const packageJson = JSON.stringify({ name, version: '1.0.0', type: 'module', sluice });
  for (const [file, text] of Object.entries({ 'package.json': packageJson, ...files })) {
    const path = join(folder, name, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

const send = (method: string, path: string, body?: object) => fleet.call(method, path, body, { prefer: 'wait=10' });

async function runGreet(changes: object) {
  const start = aNode({ name: 'Start', type: 'base.manual-trigger' });
  const node = { ...aNode({ name: 'Greet', type: '@acme/greeter.greet' }), ...changes };
  const connections = { Start: { main: [[{ node: 'Greet', type: 'main', index: 0 }]] } };
  const created = await send('POST', '/workflows', { name: 'greet', nodes: [start, node], connections, settings: {} });
  return (await send('POST', `/workflows/${created.body.id}/run`)).body;
}

describe('packages in SLUICE_NODES_DIR', () => {
  test('provide nodes that a worker runs, with resolved parameters and their own credentials', async () => {
    const { body: credential } = await send('POST', '/credentials', {
      name: 'greeter',
      type: 'greeterApi',
      data: { token: 'sesame' },
    });
    const { port } = server.address() as AddressInfo;
    const { status, data } = await runGreet({
      parameters: { url: `http://127.0.0.1:${port}`, who: '={{ "w" + "orld" }}' },
      credentials: { greeterApi: { id: credential.id, name: 'greeter' } },
    });
    const item = data.resultData.runData.Greet[0].data.main[0][0];
    expect([status, item.json.version]).toEqual(['success', 2]);
    expect(item.json.received).toMatch(/^\/world Bearer /);
    expect(item.json.received).not.toContain('sesame');
  });

  test('describe themselves in the API', async () => {
    const { body } = await send('GET', `/node-types/${encodeURIComponent('@acme/greeter.greet')}`);
    expect(body).toMatchObject({ type: '@acme/greeter.greet', name: 'greet', version: [1, 2], usableAsTool: true });
    const schema = await send('GET', '/credentials/schema/greeterApi');
    expect([schema.status, schema.body]).toEqual([200, expect.objectContaining({ required: ['token'] })]);
  });

  test('are reported by both processes if they are broken or not allowed, and do not affect others', async () => {
    const reported = [
      { package: 'broken', reason: expect.stringContaining('none.js cannot be loaded') },
      { package: 'other', reason: 'SLUICE_NODES_ALLOW does not name it' },
    ];
    expect(warnings.filter((warning) => warning.package !== undefined)).toEqual([...reported, ...reported]);
    const { data } = await runGreet({ type: 'other.greet' });
    expect(data.resultData.error).toMatchObject({ code: 'UNKNOWN_NODE_TYPE' });
  });

  test('report an error for a version that they lack', async () => {
    const { data } = await runGreet({ typeVersion: 3 });
    expect(data.resultData.error).toMatchObject({ code: 'UNKNOWN_NODE_TYPE_VERSION' });
  });
});
