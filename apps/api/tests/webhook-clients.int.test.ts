import { createHmac, createSecretKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import { CredentialRepository } from '@sluice/db';
import { type JsonObject, randomId } from '@sluice/domain';
import { SignJWT } from 'jose';
import { startWebhookFleet, vault } from './support/webhook-fleet.ts';

const fleet = await startWebhookFleet({ TRUST_PROXY: '1', QUEUED_MAX_PER_PROJECT: '100000' });
const { body } = await fleet.api.call('POST', '/workflows', {
  body: { name: 'w', nodes: [], connections: {}, settings: {} },
});
const row = await fleet.api.db.kysely
  .selectFrom('workflows')
  .select('project_id')
  .where('id', '=', body.id)
  .executeTakeFirstOrThrow();
const projectId = row.project_id;
afterAll(() => fleet.close());

let paths = 0;

/** A webhook that requires a credential with this data and returns its item. */
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

describe('a client', () => {
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

  test('must send user and password, which are not in the item', async () => {
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

  test('can send the scheme in any case', async () => {
    const path = await aGuarded('basicAuth', 'httpBasicAuth', { user: 'me', password: 'p' });
    const pair = Buffer.from('me:p').toString('base64');
    for (const scheme of ['basic', 'BASIC', 'Basic'])
      expect((await post(path, { authorization: `${scheme} ${pair}` })).status).toBe(200);
  });

  test('is rejected with empty user and password', async () => {
    const path = await aGuarded('basicAuth', 'httpBasicAuth', { user: '', password: '' });
    for (const headers of [{}, basic(':'), basic('')]) expect((await post(path, headers)).status).toBe(401);
  });

  test('must send the value of a header', async () => {
    const path = await aGuarded('headerAuth', 'httpHeaderAuth', { name: 'X-Token', value: 'a-long-secret' });
    expect((await post(path)).status).toBe(401);
    expect((await post(path, { 'x-token': 'a-long-secre' })).status).toBe(401);
    const item = await itemOf(await post(path, { 'x-token': 'a-long-secret' }));
    expect(item.headers['x-token']).toBe('***REDACTED***');
  });

  test('must send a signed, valid token; the item contains its claims', async () => {
    const secret = 'a-secret-of-some-length-for-hs256';
    const path = await aGuarded('jwtAuth', 'jwtAuth', { secret, algorithm: 'HS256' });
    const key = createSecretKey(Buffer.from(secret));
    const sign = (expires: string) =>
      new SignJWT({ sub: 'me' }).setProtectedHeader({ alg: 'HS256' }).setExpirationTime(expires).sign(key);
    expect((await post(path, { authorization: `Bearer ${await sign('-1m')}` })).status).toBe(401);
    expect((await post(path, { authorization: `bearer ${await sign('1m')}` })).status).toBe(200);
    expect((await post(path, { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJtZSJ9.' })).status).toBe(401);
    const item = await itemOf(await post(path, { authorization: `Bearer ${await sign('1m')}` }));
    expect(item.jwtPayload).toMatchObject({ sub: 'me' });
  });

  test('never gets the response to another client that used the same idempotency key', async () => {
    const secret = 'a-secret-of-some-length-for-hs256';
    const path = await aGuarded('jwtAuth', 'jwtAuth', { secret, algorithm: 'HS256' });
    const sign = (sub: string, expires: string) =>
      new SignJWT({ sub })
        .setProtectedHeader({ alg: 'HS256' })
        .setExpirationTime(expires)
        .sign(createSecretKey(Buffer.from(secret)));
    const send = async (sub: string, expires = '1m') =>
      (await itemOf(await post(path, { authorization: `Bearer ${await sign(sub, expires)}`, 'idempotency-key': '1' })))
        .jwtPayload;
    const alice = await send('alice');
    expect(await send('bob')).toMatchObject({ sub: 'bob' });
    expect(await send('alice', '2m')).toEqual(alice);
  });

  test('has separate idempotency keys for each method and path', async () => {
    const first = `keyed-${++paths}`;
    await fleet.activate({
      path: `${first}/:id`,
      multipleMethods: true,
      httpMethod: ['POST', 'PUT'],
      responseMode: 'lastNode',
    });
    const send = async (method: string, id: string) => {
      const response = await fleet.call(`${first}/${id}`, { method, headers: { 'idempotency-key': 'k' } });
      return ((await response.json()) as { params: JsonObject }).params;
    };
    const before = await executions();
    expect([await send('POST', '1'), await send('POST', '2'), await send('POST', '1')]).toEqual([
      { id: '1' },
      { id: '2' },
      { id: '1' },
    ]);
    expect(await executions()).toBe(before + 2);
    await send('PUT', '1');
    expect(await executions()).toBe(before + 3);
  });

  test('must sign tokens with the algorithm and the private key of the credential', async () => {
    const secret = 'a-secret-of-some-length-for-hs256';
    const bySecret = await aGuarded('jwtAuth', 'jwtAuth', { secret, algorithm: 'HS256' });
    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = {
      publicKey: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      privateKey: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    };
    const byKey = await aGuarded('jwtAuth', 'jwtAuth', { keyType: 'pemKey', algorithm: 'RS256', publicKey: pem.publicKey });
    const token = (alg: string, key: KeyObject) =>
      new SignJWT({ sub: 'me' }).setProtectedHeader({ alg }).setExpirationTime('1m').sign(key);
    const statusOf = async (path: string, signed: string) => (await post(path, { authorization: `Bearer ${signed}` })).status;
    const secretKey = createSecretKey(Buffer.from(secret));
    expect(await statusOf(bySecret, await token('HS256', secretKey))).toBe(200);
    expect(await statusOf(bySecret, await token('HS512', secretKey))).toBe(401);
    expect(await statusOf(byKey, await token('RS256', pair.privateKey))).toBe(200);
    expect(await statusOf(byKey, await token('PS256', pair.privateKey))).toBe(401);
    expect(await statusOf(byKey, await token('HS256', createSecretKey(Buffer.from(pem.publicKey))))).toBe(401);
    const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
    expect(await statusOf(byKey, await token('RS256', stranger.privateKey))).toBe(401);
  });

  test('is rejected with a credential of another project, or a deleted one', async () => {
    const other = await fleet.api.projects.createTeam({ name: 'other' });
    const data = { name: 'x-token', value: 'secret' };
    const path = await aGuarded('headerAuth', 'httpHeaderAuth', data, other.id);
    expect((await post(path, { 'x-token': 'secret' })).status).toBe(401);
    const gone = await aGuarded('headerAuth', 'httpHeaderAuth', data);
    expect((await post(gone, { 'x-token': 'secret' })).status).toBe(200);
    await fleet.api.db.kysely.deleteFrom('credentials').where('project_id', '=', projectId).execute();
    expect((await post(gone, { 'x-token': 'secret' })).status).toBe(401);
  });

  test('is never admitted without authentication: a webhook without its credential cannot be activated', async () => {
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

  test('must come from an allowed address, and must not be a bot if the webhook ignores bots', async () => {
    const options = { ipWhitelist: '10.0.0.0/8', ignoreBots: true };
    await fleet.activate({ path: 'addresses', httpMethod: 'POST', options });
    const from = (address: string, agent = 'curl/8') => post('addresses', { 'x-forwarded-for': address, 'user-agent': agent });
    expect((await from('10.1.2.3')).status).toBe(200);
    expect((await from('11.1.2.3')).status).toBe(403);
    expect((await from('10.1.2.3', 'Googlebot/2.1')).status).toBe(403);
  });

  test.each<JsonObject>([
    { options: { ipWhitelist: '={{ $vars.gone }}' } },
    { options: { ipWhitelist: '={{ [] }}' } },
    { authentication: '={{ $vars.gone }}' },
  ])('is never admitted by an unset option: a webhook with %j cannot be activated', async (guard) => {
    const refused = fleet.activate({ path: `unguarded-${++paths}`, httpMethod: 'POST', ...guard });
    await expect(refused).rejects.toThrow(/node \\"Webhook\\": .*has no value/);
  });
});

describe('a body that must be signed', () => {
  const secret = Buffer.from('a key of the tests').toString('base64');
  const now = () => String(Math.floor(Date.now() / 1000));
  const signed = (body: string | Uint8Array, id = randomId(), at = now(), key = secret) => ({
    'webhook-id': id,
    'webhook-timestamp': at,
    'webhook-signature': `v1,${createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${at}.`).update(body).digest('base64')}`,
  });

  test('by Standard Webhooks is accepted once, and no other body is accepted', async () => {
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
    for (const repeated of [headers, { ...headers, 'idempotency-key': randomId() }])
      expect((await post(path, repeated, body)).status).toBe(200);
    expect(await executions()).toBe(before + 1);
  });

  test('by an HMAC with a timestamp is accepted once with any idempotency key, and another body is rejected', async () => {
    const scheme = { scheme: 'custom', secret, header: 'X-S', timestampHeader: 'X-T', signedContent: '{timestamp}.{body}' };
    const path = await aGuarded('signature', 'webhookSignature', { ...scheme, encoding: 'hex' });
    const before = await executions();
    const hmac = (at: string) => createHmac('sha256', secret).update(`${at}.{}`).digest('hex');
    const at = now();
    const headers = (key: string, time = at) => ({ 'x-s': hmac(time), 'x-t': time, 'idempotency-key': key });
    const first = await (await post(path, headers('a'), '{}')).json();
    for (const repeated of [headers('a'), headers('b'), { 'x-t': at, 'x-s': hmac(at).toUpperCase() }])
      expect(await (await post(path, repeated, '{}')).json()).toEqual(first);
    expect(await executions()).toBe(before + 1);
    const later = String(Number(at) + 1);
    expect(await (await post(path, headers('a', later), '{}')).json()).toEqual(first);
    expect(await (await post(path, headers('c', later), '{}')).json()).toEqual(first);
    expect(await executions()).toBe(before + 1);
    expect((await post(path, headers('c', String(Number(at) + 2)), '{}')).status).toBe(200);
    expect(await executions()).toBe(before + 2);
  });

  test.each<[string, JsonObject]>([
    ['is not base64', { secret: 'whsec_!!!!' }],
    ['16 bytes', { secret: 'whsec_c2hvcnQ=' }],
    ['16 bytes', { scheme: 'custom', secret: 's' }],
    ['{body}', { scheme: 'custom', secret, signedContent: 'fixed' }],
    ['timestamp', { scheme: 'custom', secret, timestampHeader: 'X-Time' }],
  ])('by a credential that cannot authenticate a client is impossible: saving it fails with "%s"', async (problem, data) => {
    const create = (fields: JsonObject) =>
      fleet.api.call('POST', '/credentials', { body: { name: 'c', type: 'webhookSignature', data: fields } });
    const refused = await create(data);
    expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(JSON.stringify(refused.body)).toContain(problem);
    const { body } = await create({ secret: `whsec_${secret}` });
    expect((await fleet.api.call('PATCH', `/credentials/${body.id}`, { body: { data } })).status).toBe(400);
  });

  test('is verified as received, even if compressed', async () => {
    const path = await aGuarded('signature', 'webhookSignature', { scheme: 'standard', secret: `whsec_${secret}` });
    const [body, packed] = ['{"a":1}', gzipSync('{"a":1}')];
    const send = (headers: Record<string, string>, sent: Uint8Array, encoding = 'gzip') => {
      const all = { 'content-type': 'application/json', 'content-encoding': encoding, ...headers };
      return fleet.call(path, { method: 'POST', body: sent, headers: all });
    };
    expect((await send(signed(body), packed)).status).toBe(401);
    expect((await itemOf(await send(signed(packed), packed))).body).toEqual({ a: 1 });
    const broken = Buffer.from('no gzip');
    const [unreadable, unknown] = [await send(signed(broken), broken), await send(signed(broken), broken, 'zip')];
    expect([unreadable.status, unknown.status]).toEqual([400, 415]);
    const bomb = gzipSync(Buffer.alloc(40_000_000));
    expect((await send(signed(bomb), bomb)).status).toBe(413);
  });

  test('can be signed with any of several keys during a key rotation', async () => {
    const path = await aGuarded('signature', 'webhookSignature', { scheme: 'standard', secret: `whsec_${secret}` });
    const body = '{"a":1}';
    const [old, current] = [signed(body, 'm', now(), 'AAAA'), signed(body, 'm')];
    const both = `${old['webhook-signature']} v2,x ${current['webhook-signature']}`;
    expect((await post(path, { ...current, 'webhook-signature': both }, body)).status).toBe(200);
    expect((await post(path, old, body)).status).toBe(401);
  });

  test('is valid if its timestamp is within the tolerance of the credential in either direction', async () => {
    const data = { scheme: 'standard', secret: `whsec_${secret}`, toleranceSeconds: 60 };
    const path = await aGuarded('signature', 'webhookSignature', data);
    const at = (seconds: number) => signed('{}', randomId(), String(Math.floor(Date.now() / 1000) + seconds));
    for (const [seconds, status] of [
      [-50, 200],
      [50, 200],
      [-70, 401],
      [70, 401],
    ] as const)
      expect((await post(path, at(seconds), '{}')).status).toBe(status);
  });

  test.each<[string, string, 'hex' | 'base64', string, string]>([
    ['sha1', 'X-Sig', 'hex', '', '{body}'],
    ['sha256', 'X-Hub-Signature-256', 'hex', 'sha256=', '{body}'],
    ['sha512', 'X-Sig', 'base64', 'v0=', 'v0:{timestamp}:{body}'],
  ])(
    'by HMAC with %s in %s, as %s after %j, over %s is accepted, and no other body',
    async (algorithm, header, encoding, prefix, content) => {
      const isTimed = content.includes('{timestamp}');
      const path = await aGuarded('signature', 'webhookSignature', {
        scheme: 'custom',
        secret: 's',
        algorithm,
        header,
        encoding,
        prefix,
        signedContent: content,
        ...(isTimed && { timestampHeader: 'X-Time' }),
      });
      const at = now();
      const text = (body: string) => content.replace('{timestamp}', at).replace('{body}', body);
      const signature = (body: string, key = 's') =>
        `${prefix}${createHmac(algorithm, key).update(text(body)).digest(encoding)}`;
      const send = (value: string) => post(path, { [header]: value, ...(isTimed && { 'x-time': at }) }, '{"a":1}');
      expect((await send(signature('{"a":1}'))).status).toBe(200);
      for (const wrong of [signature('{"a":2}'), signature('{"a":1}', 'x'), signature('{"a":1}').slice(0, -4), `${prefix}`])
        expect((await send(wrong)).status).toBe(401);
    },
  );

  test('with a custom scheme can be a form or a file', async () => {
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

  test('with a rule that would accept any request is rejected', async () => {
    const path = await aGuarded('signature', 'webhookSignature', { scheme: 'custom', secret: 's', signedContent: 'fixed' });
    const signature = createHmac('sha256', 's').update('fixed').digest('hex');
    expect((await post(path, { 'x-hub-signature-256': signature })).status).toBe(401);
  });
});
