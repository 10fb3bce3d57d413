import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import type { HttpRequest } from '@sluice/node-sdk';
import { fakeContext, memoryBinary } from '@sluice/nodes-base/testing';
import { longestBusy } from '@sluice/test-support';
import { type ApiRoute, apiServer } from '../testing/api-server.ts';
import { type ApiAccess, ApiClient, accessOf } from './api-client.ts';

const client = new ApiClient({ service: 'Acme', credentialType: () => undefined, baseUrl: 'https://api.acme.test/v1' });

/** URLs of the requests for a path. */
async function sentFor(path: string): Promise<string[]> {
  const sent: string[] = [];
  const request = async ({ url }: HttpRequest) => {
    sent.push(url);
    return { status: 200, statusText: '', headers: {}, body: Buffer.from('{}'), url };
  };
  const access = { http: { request }, signal: new AbortController().signal, itemIndex: 2 } as unknown as ApiAccess;
  await client.send(access, { method: 'DELETE', path });
  return sent;
}

describe('an ID in the path of a request', () => {
  const pathOf = (id: string) => `/calendars/c/events/${encodeURIComponent(id)}`;

  test.each(['..', '.'])('cannot be %j: it would name another resource', async (id) => {
    await expect(sentFor(pathOf(id))).rejects.toMatchObject({ message: /cannot be part of an address/, itemIndex: 2 });
  });

  test.each(['../x', '%2e%2e', 'a..b'])('%j stays one segment', async (id) => {
    const [url = ''] = await sentFor(pathOf(id));
    expect(new URL(url).pathname).toBe(`/v1${pathOf(id)}`);
  });
});

describe('a download from a rate-limited service', () => {
  /** Downloads a file; resolves to its text, or to the error, and the number of requests. */
  async function downloaded(answer: ApiRoute['answer']) {
    const server = await apiServer({ baseUrl: 'https://api.acme.test', routes: { 'GET /v1/file': { answer } } });
    try {
      const access = accessOf(fakeContext({ http: server.http }), 0);
      const binary = memoryBinary();
      const result = await client.download(access, { path: '/file' }, binary).then(
        async (file) => Buffer.from(await binary.read(file)).toString(),
        (error: unknown) => error,
      );
      return { result, requests: server.received.length };
    } finally {
      await server.close();
    }
  }

  test('is retried after the pause that the service requests', async () => {
    const { result, requests } = await downloaded(({ count }) =>
      count < 3 ? { status: 429, headers: { 'retry-after': '0' } } : { text: 'content' },
    );
    expect([result, requests]).toEqual(['content', 3]);
  });

  test('ends with an error if the pause is too long', async () => {
    const { result, requests } = await downloaded(() => ({ status: 503, headers: { 'retry-after': '3600' } }));
    expect(result).toMatchObject({ message: /503/, description: /in 3600 seconds/, details: { retryAfterMs: 3_600_000 } });
    expect(requests).toBe(1);
  });
});

test('an error response of 12 MB never blocks the event loop', async () => {
  const body = Buffer.from(`[${'{},'.repeat(4_000_000)}{}]`);
  const request = async ({ url }: HttpRequest) => ({ status: 400, statusText: '', headers: {}, body, url });
  const access = { http: { request }, signal: new AbortController().signal } as unknown as ApiAccess;
  const refused = () => expect(client.send(access, { path: '/a' })).rejects.toThrow('the service returned 400');
  expect(await longestBusy(refused)).toBeLessThan(250);
});

test.each([
  ['at its start', `{}[${'{},'.repeat(1_000_000)}{}]`],
  ['at its end', `[${'{},'.repeat(1_000_000)}{}]}`],
  ['by its depth', `{"ok":true,"result":${'[{"a":'.repeat(200_000)}`],
])('a response whose JSON breaks %s is text and never blocks the event loop', async (_, text) => {
  const request = async ({ url }: HttpRequest) => ({
    status: 200,
    statusText: '',
    headers: {},
    body: Buffer.from(text),
    url,
  });
  const access = { http: { request }, signal: new AbortController().signal } as unknown as ApiAccess;
  const read = async () => expect((await client.send(access, { path: '/a' })) === text).toBe(true);
  expect(await longestBusy(read)).toBeLessThan(250);
});

test('every service reads responses with this client', async () => {
  const folder = new URL('../', import.meta.url);
  const sources = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.ts'));
  const code = sources.filter((path) => !/\.test\.ts$|(^|\/)testing\//.test(path));
  const uses = await Promise.all(
    code.map(async (path) => (/(?<!')\bhttp\b(?!:?\/)/.test(await readFile(new URL(path, folder), 'utf8')) ? [path] : [])),
  );
  expect(code.length).toBeGreaterThan(100);
  expect(uses.flat()).toEqual(['shared/api-client.ts']);
});
