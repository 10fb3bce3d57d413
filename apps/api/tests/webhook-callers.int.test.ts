import { createHmac, createSecretKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { CredentialRepository } from '@sluice/db';
import { type JsonObject, randomId } from '@sluice/domain';
import { SignJWT } from 'jose';
import { startWebhookFleet, vault, type WebhookFleet } from './support/webhook-fleet.ts';

jest.setTimeout(60_000);

let fleet: WebhookFleet;
let projectId: string;

beforeAll(async () => {
  fleet = await startWebhookFleet({ TRUST_PROXY: '1', QUEUED_MAX_PER_PROJECT: '100000' });
  const { body } = await fleet.api.call('POST', '/workflows', {
    body: { name: 'w', nodes: [], connections: {}, settings: {} },
  });
  const row = await fleet.api.db.kysely
    .selectFrom('workflows')
    .select('project_id')
    .where('id', '=', body.id)
    .executeTakeFirstOrThrow();
  projectId = row.project_id;
});
afterAll(() => fleet.close());

let paths = 0;

/** A webhook that answers with its item, for calls that match a credential of the data. */
async function aGuarded(kind: string, type: string, data: JsonObject, inProject = projectId): Promise<string> {
  const subject = { id: randomId(), type };
  const head = { projectId: inProject, name: 'c', isGlobal: false, isResolvable: false };
  await new CredentialRepository(fleet.api.db.kysely).create({ ...subject, ...head, sealed: vault.seal(subject, data) });
  const path = `guarded-${++paths}`;
  const parameters = { path, httpMethod: 'POST', authentication: kind, responseMode: 'lastNode' };
  await fleet.activate(parameters, [], { credentials: { [type]: { id: subject.id } } });
  return path;
}

const post = (path: string, headers: Record<string, string> = {}, body = '{"a":1}') =>
  fleet.call(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
const itemOf = async (response: Response) =>
  (await response.json()) as { headers: Record<string, string>; body: JsonObject; jwtPayload?: JsonObject };
const executions = async () =>
  Number(
    (
      await fleet.api.db.kysely
        .selectFrom('executions')
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  );

describe('a caller', () => {
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

  test('has to know user and password, which the item does not have', async () => {
    const path = await aGuarded('basicAuth', 'httpBasicAuth', { user: 'me', password: 'a:b' });
    const before = await executions();
    for (const headers of [{}, basic('me:x'), basic('me'), { authorization: 'Bearer x' }]) {
      const refused = await post(path, headers);
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Basic /)]);
    }
    expect(await executions()).toBe(before);
    const item = await itemOf(await post(path, basic('me:a:b')));
    expect(item.headers['authorization']).toBe('***REDACTED***');
  });

  test('has to know the value of a header', async () => {
    const path = await aGuarded('headerAuth', 'httpHeaderAuth', { name: 'X-Token', value: 'a-long-secret' });
    expect((await post(path)).status).toBe(401);
    expect((await post(path, { 'x-token': 'a-long-secre' })).status).toBe(401);
    const item = await itemOf(await post(path, { 'x-token': 'a-long-secret' }));
    expect(item.headers['x-token']).toBe('***REDACTED***');
  });

  test('has to bring a token that is signed and valid; the item has what it says', async () => {
    const secret = 'a-secret-of-some-length-for-hs256';
    const path = await aGuarded('jwtAuth', 'jwtAuth', { secret, algorithm: 'HS256' });
    const key = createSecretKey(Buffer.from(secret));
    const sign = (expires: string) =>
      new SignJWT({ sub: 'me' }).setProtectedHeader({ alg: 'HS256' }).setExpirationTime(expires).sign(key);
    expect((await post(path, { authorization: `Bearer ${await sign('-1m')}` })).status).toBe(401);
    expect((await post(path, { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJtZSJ9.' })).status).toBe(401);
    const item = await itemOf(await post(path, { authorization: `Bearer ${await sign('1m')}` }));
    expect(item.jwtPayload).toMatchObject({ sub: 'me' });
  });

  test('is not let in by a credential of another project, or one that is gone', async () => {
    const other = await fleet.api.projects.createTeam('other');
    const data = { name: 'x-token', value: 'secret' };
    const path = await aGuarded('headerAuth', 'httpHeaderAuth', data, other.id);
    expect((await post(path, { 'x-token': 'secret' })).status).toBe(401);
    const gone = await aGuarded('headerAuth', 'httpHeaderAuth', data);
    expect((await post(gone, { 'x-token': 'secret' })).status).toBe(200);
    await fleet.api.db.kysely.deleteFrom('credentials').where('project_id', '=', projectId).execute();
    expect((await post(gone, { 'x-token': 'secret' })).status).toBe(401);
  });

  test('of a webhook without a credential cannot be: it is not activated', async () => {
    const node = {
      name: 'Webhook',
      type: 'base.webhook',
      position: [0, 0],
      parameters: { path: 'x', authentication: 'basicAuth' },
    };
    const { body } = await fleet.api.call('POST', '/workflows', {
      body: { name: 'w', nodes: [node], connections: {}, settings: {} },
    });
    const refused = await fleet.api.call('POST', `/workflows/${body.id}/activate`);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('no credential of type')]);
  });

  test('has to come from an allowed address, and may have to be no program', async () => {
    const options = { ipWhitelist: '10.0.0.0/8', ignoreBots: true };
    await fleet.activate({ path: 'addresses', httpMethod: 'POST', options });
    const from = (address: string, agent = 'curl/8') => post('addresses', { 'x-forwarded-for': address, 'user-agent': agent });
    expect((await from('10.1.2.3')).status).toBe(200);
    expect((await from('11.1.2.3')).status).toBe(403);
    expect((await from('10.1.2.3', 'Googlebot/2.1')).status).toBe(403);
  });
});

describe('a body that has to be signed', () => {
  const secret = Buffer.from('a key of the tests').toString('base64');
  const now = () => String(Math.floor(Date.now() / 1000));
  const signed = (body: string, id = randomId(), at = now(), key = secret) => ({
    'webhook-id': id,
    'webhook-timestamp': at,
    'webhook-signature': `v1,${createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${at}.${body}`).digest('base64')}`,
  });

  test('as Standard Webhooks is let in once, and no other is', async () => {
    const path = await aGuarded('signature', 'webhookSignature', { scheme: 'standard', secret: `whsec_${secret}` });
    const before = await executions();
    const body = '{ "a" : 1 }';
    for (const headers of [{}, signed('{}'), signed(body, 'm', '1000000000'), signed(body, 'm', now(), 'AAAA')]) {
      const refused = await post(path, headers, body);
      expect([refused.status, ((await refused.json()) as JsonObject)['code']]).toEqual([401, 'UNAUTHORIZED']);
    }
    expect((await post(path, {}, 'no json')).status).toBe(401);
    expect(await executions()).toBe(before);
    const headers = signed(body);
    expect((await itemOf(await post(path, headers, body))).body).toEqual({ a: 1 });
    expect((await post(path, headers, body)).status).toBe(200);
    expect(await executions()).toBe(before + 1);
  });

  test('in another way may be a form, or a file', async () => {
    const path = await aGuarded('signature', 'webhookSignature', { scheme: 'custom', secret: 's', prefix: 'sha256=' });
    const sign = (body: string) => ({
      'x-hub-signature-256': `sha256=${createHmac('sha256', 's').update(body).digest('hex')}`,
    });
    const form = '--b\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\nabc\r\n--b--\r\n';
    const type = { 'content-type': 'multipart/form-data; boundary=b' };
    expect((await post(path, { ...sign(form), ...type }, form)).status).toBe(200);
    expect((await post(path, { ...sign('x'), ...type }, form)).status).toBe(401);
    expect((await post(path, { ...sign('bytes'), 'content-type': 'image/png' }, 'bytes')).status).toBe(200);
  });

  test('by a rule that would let anybody in lets nobody in', async () => {
    const path = await aGuarded('signature', 'webhookSignature', { scheme: 'custom', secret: 's', signedContent: 'fixed' });
    const signature = createHmac('sha256', 's').update('fixed').digest('hex');
    expect((await post(path, { 'x-hub-signature-256': signature })).status).toBe(401);
  });
});
