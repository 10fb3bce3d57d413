import { request } from 'node:http';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createLogger } from '@sluice/logger';
import { eventually } from '@sluice/test-support';
import { sql } from 'kysely';
import { aPath, codeOf, startWebhookFleet } from './support/webhook-fleet.ts';

const fleet = await startWebhookFleet({ BODY_LIMIT_BYTES: '20000', BINARY_MAX_BYTES: '50000' });
afterAll(() => fleet.close());

const file = 'content-disposition: form-data; name="f"; filename="a"\r\n\r\n';
const brokenForms: [string, string][] = [
  ['a field without a name', '--B\r\ncontent-disposition: form-data\r\n\r\nx\r\n--B--\r\n'],
  ['a file without a name', '--B\r\ncontent-disposition: form-data; filename="a"\r\n\r\nabc\r\n--B--\r\n'],
  ['a file that is cut off', `--B\r\n${file}abc`],
  ['a second file that is cut off', `--B\r\n${file}abc\r\n--B\r\n${file}abc`],
  ['a file that is cut off after its head', `--B\r\n${file}`],
  ['a field that is cut off', '--B\r\ncontent-disposition: form-data; name="a"\r\n\r\nabc'],
  ['a part that says nothing of itself', '--B\r\ncontent-type: text/plain\r\n\r\nx\r\n--B--\r\n'],
  ['a part without a head', `--B\r\n${file}abc\r\n--B\r\n\r\nx\r\n--B--\r\n`],
  ['a part of another disposition', '--B\r\ncontent-disposition: attachment; name="a"\r\n\r\nx\r\n--B--\r\n'],
  ['a part with too many headers', `--B\r\n${'x-a: b\r\n'.repeat(3_000)}${file}abc\r\n--B--\r\n`],
  ['a head that is too large', `--B\r\nx-a: ${'b'.repeat(90_000)}\r\n${file}abc\r\n--B--\r\n`],
  ['no end of the last head', '--B\r\ncontent-disposition: form-data; name="a"'],
];
const aMultipart = (body: string, boundary = 'B'): RequestInit => ({
  method: 'POST',
  body,
  headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, accept: 'application/json' },
});

describe('a form with', () => {
  test.each(brokenForms)('%s is rejected by webhooks with and without files, and by forms', async (_, body) => {
    const takesNone = aPath();
    await fleet.activate({ path: takesNone, httpMethod: 'POST' }, [], { typeVersion: 1 });
    const form = aPath();
    const fields = { values: [{ fieldLabel: 'File', fieldName: 'f', fieldType: 'file' }] };
    await fleet.activate({ formTitle: 'Hello', formFields: fields, options: { path: form } }, [], {
      name: 'Form',
      type: 'base.form-trigger',
      typeVersion: 2.5,
    });
    const addresses = [`webhook/${await fleet.activateEcho()}`, `webhook/${takesNone}`, `form/${form}`];
    for (const address of addresses) {
      const response = await fetch(`${fleet.api.url}/${address}`, aMultipart(body));
      expect([address, response.status]).toEqual([address, 400]);
      if (!address.startsWith('form')) expect(await codeOf(response)).toBe('VALIDATION_ERROR');
    }
    expect((await fetch(`${fleet.api.url}/readyz`)).status).toBe(200);
  });

  test('a truncated file discards the whole request', async () => {
    const path = aPath();
    const id = await fleet.activate({ path, httpMethod: 'POST' });
    expect((await fleet.call(path, aMultipart(`--B\r\n${file}abc`))).status).toBe(400);
    expect(await fleet.statusesOf(id)).toEqual([]);
  });
});

test('a form of a thousand small files is stored with a few statements and without blocking other requests', async () => {
  const [path, plain] = [aPath(), aPath()];
  await fleet.activate({ path, httpMethod: 'POST', responseMode: 'lastNode' });
  await fleet.activate({ path: plain, httpMethod: 'POST' });
  const replica = await fleet.startReplica({ DATABASE_POOL_SIZE: '2' });
  const before = await announcements();
  const at = (where: string, init: RequestInit) => fetch(`http://127.0.0.1:${replica.port}/webhook/${where}`, init);
  const part = (index: number) => `--B\r\ncontent-disposition: form-data; name="f${index}"; filename="a"\r\n\r\nx\r\n`;
  const form = at(path, aMultipart(`${Array.from({ length: 995 }, (_, index) => part(index)).join('')}--B--\r\n`));
  const others = await Promise.all(Array.from({ length: 10 }, () => at(plain, { method: 'POST' })));
  expect(others.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect((await form).status).toBe(200);
  await replica.stop();
  const { rows } = await sql<{ n: string }>`SELECT count(*) AS n FROM binary_data`.execute(fleet.api.db.kysely);
  expect(Number(rows[0]?.n)).toBeGreaterThanOrEqual(995);
  expect((await announcements()) - before).toBeLessThan(100);
});

/** Number of statements that registered files. */
async function announcements(): Promise<number> {
  const { rows } = await sql<{ n: string }>`SELECT count(DISTINCT xmin::text) AS n FROM binary_leftovers`.execute(
    fleet.api.db.kysely,
  );
  return Number(rows[0]?.n);
}

test('a path with a null character is not found', async () => {
  const bases = ['webhook/', 'webhook/a/', 'webhook-test/', 'webhook-waiting/1/', 'form/', 'form-test/', 'form-waiting/1/'];
  for (const base of bases) {
    const response = await fetch(`${fleet.api.url}/${base}%00`);
    expect([base, response.status]).toEqual([base, 404]);
  }
});

test('an empty path segment is not a parameter', async () => {
  const path = aPath();
  await fleet.activate({ path: `${path}/:id/z`, responseMode: 'lastNode' }, [], { webhookId: 'hook' });
  expect((await fleet.call(`hook/${path}/1/z`)).status).toBe(200);
  expect((await fleet.call(`hook/${path}//z`)).status).toBe(404);
});

test('a client that disconnects in the middle of a file is not logged as an error', async () => {
  const path = await fleet.activateEcho();
  const logged: string[] = [];
  const destination = { write: (line: string) => void logged.push(line) };
  const replica = await fleet.startReplica({}, createLogger({ name: 'test', level: 'info', destination }));
  const seen = (what: string) => logged.filter((line) => line.includes(what)).length;
  for (const [i, type] of ['application/octet-stream', 'multipart/form-data; boundary=B'].entries()) {
    const before = await announced();
    const headers = { 'content-type': type, 'content-length': '1000' };
    const outgoing = request(`http://127.0.0.1:${replica.port}/webhook/${path}`, { method: 'POST', headers });
    outgoing.on('error', () => undefined);
    outgoing.write(`--B\r\n${file}abc`);
    await eventually(async () => (await announced()) > before);
    outgoing.destroy();
    await eventually(async () => seen('client disconnected') === i + 1);
  }
  await replica.stop();
  expect(logged.filter((line) => !line.includes('"level":"info"'))).toEqual([]);
});

/** Number of files whose upload has started. */
async function announced(): Promise<number> {
  const { rows } = await sql<{ n: string }>`SELECT count(*) AS n FROM binary_leftovers`.execute(fleet.api.db.kysely);
  return Number(rows[0]?.n);
}
