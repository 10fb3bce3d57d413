import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { aChain, aNode, builtCommand } from '@sluice/test-support';
import pg from 'pg';
import { startService } from './harness.ts';
import { stopIn } from './support/cleanup.ts';
import { createWorkflow, expectStatus, run } from './support/runs.ts';
import { trigger } from './support/workflows.ts';

const stopAfterAll = stopIn(afterAll);
const password = 'sentinel-horse-4711';

const echo = createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ headers: request.headers }));
}).listen(0, '127.0.0.1');
await new Promise((resolve) => echo.once('listening', resolve));
const echoUrl = `http://127.0.0.1:${(echo.address() as AddressInfo).port}/`;
// Blank: `sluice up` creates its own master key.
const service = stopAfterAll(await startService({ settings: { ENCRYPTION_KEY: '', SSRF_ALLOW: '127.0.0.1' } }));
afterAll(() => {
  echo?.closeAllConnections();
  echo?.close();
});

async function aCredential(): Promise<string> {
  const body = { name: 'Echo', type: 'httpBasicAuth', data: { user: 'ann', password, testUrl: echoUrl } };
  return expectStatus(await service.call('POST', '/credentials', body), 201).id;
}

/** A request whose response echoes the credential, then a node that reads it from the response. */
function echoing(credentialId: string) {
  return aChain([
    trigger,
    aNode({
      name: 'Request',
      type: 'base.http-request',
      typeVersion: 4.2,
      parameters: { url: echoUrl, authentication: 'genericCredentialType', genericAuthType: 'httpBasicAuth' },
      credentials: { httpBasicAuth: { id: credentialId, name: 'Echo' } },
    }),
    aNode({
      name: 'Length',
      type: 'base.set',
      typeVersion: 3.4,
      parameters: { mode: 'raw', jsonOutput: '={{ { "length": $json.headers.authorization.length } }}' },
    }),
  ]);
}

/** Every row of every table, as text. */
async function wholeDatabase(): Promise<string> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'");
    const texts: string[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await client.query(`SELECT * FROM ${client.escapeIdentifier(name)}`);
      texts.push(...rows.flatMap((row) => Object.values(row)).map(textOf));
    }
    return texts.join('\n');
  } finally {
    await client.end();
  }
}

function textOf(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value);
}

test('an Authorization header that a service echoes is not stored in any table, but later nodes can read it', async () => {
  const workflow = await createWorkflow(service, echoing(await aCredential()));
  const received = await run(service, workflow);
  const header = `Basic ${Buffer.from(`ann:${password}`).toString('base64')}`;
  expect(received.status).toBe('success');
  expect(received.data.resultData.runData.Length[0].data.main[0][0].json).toEqual({ length: header.length });
  expect(JSON.stringify(received)).toContain('***REDACTED***');
  for (const text of [JSON.stringify(received), await wholeDatabase()]) {
    expect(text).not.toContain(header.slice(12));
    expect(text).not.toContain('sentinel');
  }
});

test('credentials stay usable when the master key is rotated while the service runs', async () => {
  const workflow = await createWorkflow(service, echoing(await aCredential()));
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], SLUICE_HOME: service.home };
  const child = spawn(process.execPath, [builtCommand, 'keys', 'rotate-master', '--json'], { env });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await new Promise((resolve) => child.once('close', resolve));
  expect(JSON.parse(output)).toMatchObject({ remaining: 0, unreadable: [] });
  expect((await run(service, workflow)).status).toBe('success');
});
