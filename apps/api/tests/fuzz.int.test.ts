import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { aSmallWorkflow } from '@sluice/test-support';
import fc from 'fast-check';
import { sql } from 'kysely';
import { serverLimits } from '../src/api.ts';
import { createApp } from '../src/app.ts';
import { refuseBrokenRequest } from '../src/http/errors/refuse-broken-request.ts';
import { limitPipelining } from '../src/http/request/limit-pipelining.ts';
import { assertDocumented, type DocumentedOperation, endpointOf, protectedOperations } from './support/documented.ts';
import { bodyOf, pathOf, someThings, type Things } from './support/example-calls.ts';
import { type GoodRequest, type HostileRequest, hostileRequests } from './support/hostile-requests.ts';
import { ownerKey, startTestApi } from './support/test-api.ts';
import { Wire, type WireResponse } from './support/wire.ts';

const seed = 20_261_120;
/** Number of requests per operation. Hosted CI sends more. */
const requestsPerOperation = process.env['ATTACKS'] === 'all' ? 60 : 30;
const atOnce = 8;

const api = await startTestApi({ BODY_LIMIT_BYTES: '65536', RUN_WAIT_MS: '1' });
const wire = new Wire(api.url, ownerKey);
const destinationId = (await api.projects.createTeam({ name: 'destination' })).id;
afterAll(async () => {
  wire.close();
  await api.close();
});

async function newThings(): Promise<Things> {
  return someThings(api, (await api.projects.createTeam({ name: 'team' })).id, destinationId);
}

function goodRequest(operation: DocumentedOperation, things: Things): GoodRequest {
  const endpoint = endpointOf(operation);
  const [, path = ''] = endpoint.split(' ');
  const values = pathOf(endpoint, things).split('/');
  const params = path.split('/').flatMap((part, i) => (part.startsWith(':') ? [[part.slice(1), values[i] ?? '']] : []));
  const body = bodyOf(endpoint, things) ?? (endpoint.endsWith('/run') ? { workflowData: aSmallWorkflow() } : {});
  return { operation, params: Object.fromEntries(params), body: body as JsonObject };
}

/** Number of rows in each table except the audit log, which records rejected requests. */
async function rowCounts(): Promise<unknown> {
  const tables = await api.db.kysely.introspection.getTables();
  const counted = tables.map(({ name }) => name).filter((name) => !name.startsWith('audit_'));
  const counts = counted.map((name) => sql`(SELECT count(*) FROM ${sql.table(name)}) AS ${sql.ref(name)}`);
  return (await sql`SELECT ${sql.join(counts)}`.execute(api.db.kysely)).rows[0];
}

/** Text that appears only in responses of defects. */
const leak =
  /\n\s+at |\.[jt]s:\d|node_modules|relation "|syntax error|invalid input syntax|duplicate key|violates|Cannot read|is not a function/;

function assertHarmless({ method, path }: HostileRequest, { status, headers, text }: WireResponse): void {
  expect(status).toBeLessThan(500);
  expect(text).not.toMatch(leak);
  const body = text === '' ? null : JSON.parse(text);
  assertDocumented(method, path, { status, headers, body });
  if (status < 400) return;
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(Object.keys(body).sort()).toEqual(['code', ...('details' in body ? ['details'] : []), 'message', 'requestId']);
}

/** Sends the requests, some concurrently. Resolves to the rejected requests. */
async function refusedOf(requests: readonly HostileRequest[]): Promise<HostileRequest[]> {
  const refused: HostileRequest[] = [];
  for (let i = 0; i < requests.length; i += atOnce) {
    const sent = requests.slice(i, i + atOnce).map(async (request) => {
      const response = await wire.send(request);
      try {
        assertHarmless(request, response);
      } catch (error) {
        throw new Error(`${JSON.stringify(request)} was answered with ${response.status} ${response.text}`, { cause: error });
      }
      if (response.status >= 400) refused.push(request);
    });
    await Promise.all(sent);
  }
  return refused;
}

describe('hostile requests get errors of the contract and leave nothing behind', () => {
  const named = protectedOperations.map((operation, i) => [operation.operationId, operation, seed + i] as const);
  test.each(named)('%s', async (_, operation, ownSeed) => {
    const good = goodRequest(operation, await newThings());
    const requests = fc.sample(hostileRequests(good), { seed: ownSeed, numRuns: requestsPerOperation });
    const refused = await refusedOf(requests);
    if (operation.requestBody || operation.path.includes('{'))
      expect(refused.length).toBeGreaterThanOrEqual(requestsPerOperation / 30);
    const before = await rowCounts();
    await refusedOf(refused);
    expect(await rowCounts()).toEqual(before);
  });

  test('no prototype is polluted, and the service is healthy', async () => {
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
  });
});

describe('slow bodies', () => {
  const head = (length: number) =>
    [
      'POST /api/v1/workflows HTTP/1.1',
      'Host: x',
      `X-Service-Api-Key: ${ownerKey}`,
      'Content-Type: application/json',
      `Content-Length: ${length}`,
      '',
      '{"name":',
    ].join('\r\n');

  test('do not delay other requests, and write nothing if they never end', async () => {
    const before = await rowCounts();
    const { port } = new URL(api.url);
    const slow = Array.from({ length: 50 }, () => connect(Number(port), '127.0.0.1').on('error', () => undefined));
    for (const socket of slow) socket.write(head(1_000));
    expect((await api.call('GET', '/workflows')).status).toBe(200);
    for (const socket of slow) socket.destroy();
    expect(await rowCounts()).toEqual(before);
  });

  test('are 408 in JSON after the timeout', async () => {
    const limits = { ...serverLimits, requestTimeout: 200, headersTimeout: 100 };
    const server = createServer(limits, limitPipelining(createApp(api.api.context))).on('clientError', refuseBrokenRequest);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    try {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      const began = performance.now();
      socket.write(head(1_000));
      let text = '';
      for await (const chunk of socket) text += String(chunk);
      expect(performance.now() - began).toBeLessThan(20_000); // Node checks every 30 s unless configured otherwise
      expect(serverLimits.requestTimeout).toBe(60_000);
      expect(text).toContain('HTTP/1.1 408 ');
      expect(JSON.parse(text.slice(text.indexOf('{')))).toMatchObject({ code: 'REQUEST_TIMEOUT' });
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});
