import { ServerResponse } from 'node:http';
import { afterAll, afterEach, describe, expect, jest, test } from '@jest/globals';
import { document, operations } from './support/documented.ts';
import { startTestApi } from './support/test-api.ts';

const api = await startTestApi();
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => api.close());

const get = (path: string) => fetch(`${api.url}${path}`, { redirect: 'manual' });

describe('GET /openapi.json', () => {
  test('returns the document of this version without a key', async () => {
    const first = await api.call('GET', '/openapi.json', { key: null });
    expect(first.status).toBe(200);
    expect(first.body).toEqual(JSON.parse(JSON.stringify(document)));
    expect((await api.call('GET', '/openapi.json')).body).toEqual(first.body);
  });

  test('is the only operation of its path', async () => {
    const { status, body, headers } = await api.call('POST', '/openapi.json', { key: null });
    expect([status, body.code, headers.get('allow')]).toEqual([405, 'METHOD_NOT_ALLOWED', 'GET, HEAD']);
  });

  test('contains the configured key header', async () => {
    const other = await startTestApi({ API_KEY_HEADER: 'X-Other-Key' });
    try {
      const { body } = await other.call('GET', '/openapi.json', { key: null });
      expect(body.components.securitySchemes.apiKey.name.toLowerCase()).toBe('x-other-key');
    } finally {
      await other.close();
    }
  });
});

test.each(['/docs', '/api/v1/docs', '/docs/swagger-ui-bundle.js', '/docs/start.js', '/api/v1/openapi.json'])(
  'a client that does not read %s is disconnected',
  async (path) => {
    const limit = jest.spyOn(ServerResponse.prototype, 'setTimeout');
    const response = await get(path);
    expect([response.status, limit.mock.calls]).toEqual([200, [[120_000, expect.any(Function)]]]);
    await response.text();
  },
);

describe.each(['/docs', '/api/v1/docs'])('%s', (path) => {
  test('is a public page that can run only its own files', async () => {
    const response = await get(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none';script-src 'self';style-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(await response.text()).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|style=|https?:/);
  });

  test('refers to files and a document that exist', async () => {
    const page = await (await get(path)).text();
    const linked = [...page.matchAll(/(?:href|src|data-document)="([^"]+)"/g)].map(([, link]) => link as string);
    expect(linked).toHaveLength(6);
    for (const link of linked) {
      const { pathname } = new URL(link, `${api.url}${path}`);
      expect([pathname, (await get(pathname)).status]).toEqual([pathname, 200]);
    }
  });

  test('with a trailing slash redirects to the page, and no other file is served', async () => {
    expect((await get(`${path}/`)).headers.get('location')).toBe('../docs');
    for (const file of ['index.html', 'package.json', 'swagger-ui-bundle.js.map', '..%2fpackage.json'])
      expect([401, 404]).toContain((await get(`${path}/${file}`)).status);
  });

  test('lists every operation even without scripts', async () => {
    const page = await (await get(path)).text();
    for (const { summary } of operations.slice(0, -1)) expect(page).toContain(summary.split(/[<>&"]/)[0]);
  });
});
