import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { CredentialRepository, ExecutionRecorder, ExecutionWaitRepository, WorkerRepository } from '@sluice/db';
import { type ExpectedRequest, type JsonObject, randomId } from '@sluice/domain';
import { aSmallWorkflow, testMasterKey } from '@sluice/test-support';
import { KeyRing, Vault } from '@sluice/vault';
import { startTestApi } from './support/test-api.ts';

const workerId = randomId();

const api = await startTestApi({ BODY_LIMIT_BYTES: '2048', TRUST_PROXY: '1' });
const waits = new ExecutionWaitRepository(api.db);
const recorder = new ExecutionRecorder(api.db, () => workerId);
await new WorkerRepository(api.db).register({ id: workerId, hostname: 'here', pid: 1, concurrency: 1 }, 600_000);
const { body } = await api.call('POST', '/workflows', { body: aSmallWorkflow() });
const workflowId = body.id;
const projectId = body.projectId;
afterAll(() => api.close());

interface Waiting {
  executionId: string;
  token: string;
  url: string;
}

/** An execution that waits for a request. */
async function aWait(
  changes: Partial<ExpectedRequest> = {},
  attempt = 1,
  existing?: { executionId: string },
): Promise<Waiting> {
  const executionId = existing?.executionId ?? (await start());
  await recorder.claim({ executionId, attempt });
  const token = randomBytes(24).toString('base64url');
  const expected: ExpectedRequest = { method: 'POST', response: { status: 200, headers: {} }, ...changes };
  const suspended = { nodeName: 'Wait', runIndex: attempt - 1, startTime: 1, tryNumber: 1 };
  const rest = { resumeToken: token, waitMs: undefined, children: [] };
  await waits.suspend({ executionId, attempt, workerId, suspended, suspension: { kind: 'call', call: expected }, ...rest });
  return { executionId, token, url: `${api.url}/webhook-waiting/${executionId}/${token}` };
}

async function start(): Promise<string> {
  const { body } = await api.call('POST', `/workflows/${workflowId}/run`, { body: {}, headers: { prefer: 'respond-async' } });
  return body.executionId;
}

const post = (url: string, body?: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json', ...headers },
  });

const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;

async function receivedBy({ executionId }: Waiting): Promise<JsonObject | undefined> {
  return (await waits.findEnded({ executionId, attempt: 2 }))?.received as JsonObject | undefined;
}

describe('a request to a waiting execution', () => {
  test('resumes it with the data of the request, and gets its response', async () => {
    const wait = await aWait();
    const { body } = await api.call('GET', `/executions/${wait.executionId}`);
    expect(body).toMatchObject({ status: 'waiting', waitingRun: { node: 'Wait', startTime: 1 } });
    const response = await post(`${wait.url}?a=1&a=2`, { approved: true }, { 'x-from': 'mail' });
    expect([response.status, await response.json()]).toEqual([200, { message: 'the workflow continues' }]);
    expect(response.headers.get('content-security-policy')).toBe('sandbox');
    expect((await api.call('GET', `/executions/${wait.executionId}`)).body.status).toBe('running');
    expect(await receivedBy(wait)).toMatchObject({
      headers: expect.objectContaining({ 'x-from': 'mail' }),
      query: { a: ['1', '2'] },
      body: { approved: true },
    });
  });

  test('resumes it once, even for concurrent requests', async () => {
    const { url } = await aWait();
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(url, {})));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
    const late = await post(url, {});
    expect([late.status, await codeOf(late)]).toEqual([409, 'ALREADY_RESUMED']);
  });

  test('with the token of an ended wait does not affect the next wait', async () => {
    const first = await aWait();
    await post(first.url, {});
    const second = await aWait({}, 2, first);
    expect((await post(first.url, {})).status).toBe(409);
    expect((await post(second.url, {})).status).toBe(200);
  });

  test.each<[string, (wait: Waiting) => string]>([
    ['a wrong token', ({ url }) => `${url.slice(0, -1)}!`],
    ['no token', ({ executionId }) => `${api.url}/webhook-waiting/${executionId}`],
    ['an extra suffix', ({ url }) => `${url}/approve`],
    ['no such execution', ({ token }) => `${api.url}/webhook-waiting/999999/${token}`],
    ['no ID', ({ token }) => `${api.url}/webhook-waiting/x/${token}`],
  ])('with %s is not found and changes nothing', async (_, address) => {
    const wait = await aWait();
    const response = await post(address(wait), {});
    expect([response.status, await codeOf(response)]).toEqual([404, 'NOT_FOUND']);
    expect((await api.call('GET', `/executions/${wait.executionId}`)).body.status).toBe('waiting');
  });

  test.each(['webhook-waiting', 'form-waiting'])('at /%s with a wrong token reads no wait', async (place) => {
    const { executionId, token } = await aWait();
    const listing = jest.spyOn(ExecutionWaitRepository.prototype, 'listRequestWaits');
    const { status } = await fetch(
      `${api.url}/${place}/${executionId}/${token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))}`,
    );
    expect(status).toBe(404);
    expect(listing).not.toHaveBeenCalled();
    listing.mockRestore();
  });

  test('reaches the wait of its suffix', async () => {
    const { url } = await aWait({ suffix: 'a/b' });
    expect((await post(url, {})).status).toBe(404);
    expect((await post(`${url}/a/b`, {})).status).toBe(200);
  });

  test('with another method is rejected with the allowed method', async () => {
    const { url } = await aWait({ method: 'GET' });
    const response = await post(url, {});
    expect([response.status, response.headers.get('allow'), await codeOf(response)]).toEqual([
      405,
      'GET, OPTIONS',
      'METHOD_NOT_ALLOWED',
    ]);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET, OPTIONS']);
    const preflight = await fetch(url, { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('allow')]).toEqual([204, 'GET, OPTIONS']);
    expect((await fetch(url)).status).toBe(200);
  });

  test('is too late after the execution was stopped', async () => {
    const { url, executionId } = await aWait();
    expect((await api.call('POST', `/executions/${executionId}/stop`)).status).toBe(200);
    expect((await post(url, {})).status).toBe(409);
  });

  test.each<[string, Partial<ExpectedRequest>, Record<string, string>]>([
    ['from another address', { allowedAddresses: ['10.0.0.0/8'] }, { 'x-forwarded-for': '11.0.0.1' }],
    ['from a program', { ignoresBots: true }, { 'user-agent': 'Slackbot-LinkExpanding 1.0' }],
  ])('%s does not resume it', async (_, expected, headers) => {
    const { url } = await aWait(expected);
    expect((await post(url, {}, headers)).status).toBe(403);
    expect((await post(url, {}, { 'x-forwarded-for': '10.0.0.1' })).status).toBe(200);
  });

  test('can be sent by pages of any origin, which can read every response; a preflight changes nothing', async () => {
    const { url, executionId } = await aWait();
    const origin = 'https://app.example';
    const asking = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' };
    const seen = (response: Response) => [
      response.status,
      response.headers.get('access-control-allow-origin'),
      response.headers.get('cross-origin-resource-policy'),
    ];
    const preflight = await fetch(url, { method: 'OPTIONS', headers: asking });
    expect(seen(preflight)).toEqual([204, '*', 'cross-origin']);
    expect(preflight.headers.get('access-control-allow-methods')).toBe('POST');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type');
    expect((await api.call('GET', `/executions/${executionId}`)).body.status).toBe('waiting');
    expect(seen(await post(url, {}, { origin }))).toEqual([200, '*', 'cross-origin']);
    expect((await fetch(url, { method: 'OPTIONS', headers: asking })).status).toBe(204);
    expect(seen(await post(url, {}, { origin }))).toEqual([409, '*', 'cross-origin']);
    expect((await fetch(`${url}x`, { method: 'OPTIONS', headers: asking })).status).toBe(404);
    expect((await post((await aWait()).url, {})).headers.get('access-control-allow-origin')).toBeNull();
  });

  test('gets the response that the node defines, except for headers that only the server may set', async () => {
    const headers = {
      'Content-Type': 'text/html',
      'X-Own': 'yes',
      'Content-Security-Policy': 'default-src *',
      'Content-Length': '1',
    };
    const { url } = await aWait({ response: { status: 202, body: '<script>alert(1)</script>', headers } });
    const response = await post(url, {});
    expect([response.status, await response.text()]).toEqual([202, '<script>alert(1)</script>']);
    expect(response.headers.get('x-own')).toBe('yes');
    expect(response.headers.get('content-security-policy')).toBe('sandbox');
  });
});

describe('the body of a request', () => {
  test.each<[string, string, unknown]>([
    ['application/json', '[1, null]', [1, null]],
    ['application/x-www-form-urlencoded', 'a=1&b=x+y', { a: '1', b: 'x y' }],
    ['text/plain', 'hello', 'hello'],
  ])('can be %s', async (type, text, body) => {
    const wait = await aWait();
    const response = await fetch(wait.url, { method: 'POST', body: text, headers: { 'content-type': type } });
    expect(response.status).toBe(200);
    expect((await receivedBy(wait))?.['body']).toEqual(body);
  });

  test.each<[string, string, string, number]>([
    ['of an unsupported type', 'application/octet-stream', 'x', 415],
    ['that is not valid JSON', 'application/json', '{', 400],
    ['that is too large', 'application/json', JSON.stringify('x'.repeat(3_000)), 413],
    ['that is nested too deep', 'application/json', `${'['.repeat(200)}${']'.repeat(200)}`, 400],
  ])('%s is rejected, and the execution keeps waiting', async (_, type, text, status) => {
    const wait = await aWait();
    const response = await fetch(wait.url, { method: 'POST', body: text, headers: { 'content-type': type } });
    expect(response.status).toBe(status);
    expect((await api.call('GET', `/executions/${wait.executionId}`)).body.status).toBe('waiting');
  });
});

describe('a request that must match a credential', () => {
  const vault = new Vault(KeyRing.parse([testMasterKey]));

  async function aProtectedWait(type: 'httpBasicAuth' | 'httpHeaderAuth' | 'jwtAuth', data: JsonObject): Promise<Waiting> {
    const subject = { id: randomId(), type };
    const project = await ownProject();
    const head = { projectId: project, name: 'c', isGlobal: false, isResolvable: false };
    await new CredentialRepository(api.db.kysely).create({ ...subject, ...head, sealed: vault.seal(subject, data) });
    return aWait({ authentication: { type, credentialId: subject.id } });
  }

  async function ownProject(): Promise<string> {
    const { project_id } = await api.db.kysely
      .selectFrom('workflows')
      .select('project_id')
      .where('id', '=', workflowId)
      .executeTakeFirstOrThrow();
    return projectId ?? project_id;
  }

  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

  test('by basic authentication', async () => {
    const { url, ...wait } = await aProtectedWait('httpBasicAuth', { user: 'ann', password: 'söcret' });
    for (const headers of [{}, basic('ann:wrong'), basic('ann:')]) {
      const response = await post(url, {}, headers as Record<string, string>);
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('Basic')]);
    }
    expect((await post(url, {}, basic('ann:söcret'))).status).toBe(200);
    expect(await receivedBy({ url, ...wait })).toMatchObject({ headers: { authorization: '***REDACTED***' } });
  });

  test('by a header', async () => {
    const wait = await aProtectedWait('httpHeaderAuth', { name: 'X-Token', value: 'abc' });
    const { url } = wait;
    expect((await post(url, {})).status).toBe(401);
    expect((await post(url, {}, { 'x-token': 'abd' })).status).toBe(401);
    expect((await post(url, {}, { 'x-token': 'abc', 'x-other': 'seen' })).status).toBe(200);
    expect(await receivedBy(wait)).toMatchObject({ headers: { 'x-token': '***REDACTED***', 'x-other': 'seen' } });
  });

  test('by a signed token', async () => {
    const wait = await aProtectedWait('jwtAuth', {
      keyType: 'passphrase',
      secret: 'a secret of the tests',
      algorithm: 'HS256',
    });
    const { url } = wait;
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const { createHmac } = await import('node:crypto');
    const sign = (alg: string, secret: string) => {
      const text = `${part({ alg, typ: 'JWT' })}.${part({ sub: 'ann' })}`;
      return `${text}.${alg === 'none' ? '' : createHmac('sha256', secret).update(text).digest('base64url')}`;
    };
    for (const token of [sign('HS256', 'another'), sign('none', ''), 'rubbish']) {
      expect((await post(url, {}, { authorization: `Bearer ${token}` })).status).toBe(401);
    }
    expect((await post(url, {}, { authorization: `Bearer ${sign('HS256', 'a secret of the tests')}` })).status).toBe(200);
    expect(await receivedBy(wait)).toMatchObject({
      headers: { authorization: '***REDACTED***' },
      jwtPayload: { sub: 'ann' },
    });
  });

  test('is rejected if the credential was deleted or never existed', async () => {
    const { url } = await aWait({ authentication: { type: 'httpHeaderAuth', credentialId: randomId() } });
    expect((await post(url, {}, { 'x-token': 'abc' })).status).toBe(401);
  });
});

describe('waiting executions in the contract', () => {
  test('cannot be retried, and can be stopped and deleted in bulk', async () => {
    const { executionId } = await aWait();
    const retry = await api.call('POST', `/executions/${executionId}/retry`, { body: {} });
    expect([retry.status, retry.body.message]).toEqual([409, 'cannot retry a running or waiting execution']);
    const filter = { workflowId, status: ['waiting'] };
    const { body } = await api.call('POST', '/executions/stopMany', { body: { filter } });
    expect(body.stopped).toBeGreaterThanOrEqual(1);
    const other = await aWait();
    expect((await api.call('POST', '/executions/delete', { body: { ids: [other.executionId] } })).status).toBe(200);
    expect((await post(other.url, {})).status).toBe(404);
  });
});
