import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi, type TestApi } from './support/test-api.ts';

const script = 'assets/index-abc123.js';
const source = 'console.log("the dashboard");'.repeat(50);
const page = `<base href="{{base}}"><meta name="sluice-key-header" content="{{keyHeader}}"><meta nonce="{{nonce}}">`;

const folder = mkdtempSync(join(tmpdir(), 'sluice-dashboard-'));
let api: TestApi;
let bare: TestApi;

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, 'icon.svg'), '<svg/>');
  writeFileSync(join(folder, script), source);
  writeFileSync(join(folder, `${script}.br`), brotliCompressSync(source));
  writeFileSync(join(folder, `${script}.gzip`), gzipSync(source));
  writeFileSync(join(folder, 'areas.json'), '["executions"]');
  const files = [
    { path: 'icon.svg', encodings: [] },
    { path: script, encodings: ['br', 'gzip'] },
  ];
  writeFileSync(join(folder, 'files.json'), JSON.stringify(files));
  const settings = { PUBLIC_URL: 'https://sluice.example/flows', API_KEY_HEADER: 'X-My-Key' };
  api = await startTestApi(settings, undefined, { dashboardFolder: folder });
  bare = await startTestApi({}, undefined, { dashboardFolder: join(folder, 'absent') });
});
afterAll(async () => {
  await api?.close();
  await bare?.close();
  rmSync(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${api.url}${path}`, { headers });

describe('the page', () => {
  test.each(['/', '/executions', '/executions/42', '/executions/42/?tab=input'])('is served at %s', async (path) => {
    const response = await get(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await response.text()).toContain('<base href="/flows/"><meta name="sluice-key-header" content="X-My-Key">');
  });

  test.each(['/executions.txt', '/unknown', '/index.html', '/files.json', '/checksum', '/Executions'])(
    'is not served at %s',
    async (path) => {
      const response = await get(path);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: 'NOT_FOUND' });
    },
  );

  test('has a content security policy that forbids inline scripts and other origins, with a nonce per response', async () => {
    const [first, second] = [await get('/'), await get('/')];
    const policy = first.headers.get('content-security-policy') ?? '';
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    expect(await first.text()).toContain(`nonce="${nonce}"`);
    expect(await second.text()).not.toContain(nonce);
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(policy.replace(nonce, 'n').split('; ')).toEqual([
      `default-src 'none'`,
      `script-src 'self'`,
      `style-src 'self' 'nonce-n'`,
      `img-src 'self' data: blob:`,
      `media-src blob:`,
      `connect-src 'self'`,
      `base-uri 'self'`,
      `form-action 'none'`,
      `frame-ancestors 'none'`,
    ]);
  });

  test('does not shadow paths of the API', async () => {
    expect((await get('/api/v1/workflows')).status).toBe(401);
    expect((await get('/docs')).status).toBe(200);
    expect((await get('/healthz')).status).toBe(200);
    expect((await fetch(`${api.url}/`, { method: 'POST' })).status).toBe(404);
  });
});

describe('the files', () => {
  test.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ])('Accept-Encoding %s: %s', async (accepted, encoding) => {
    const response = await get(`/${script}`, { 'Accept-Encoding': accepted });
    expect(await response.text()).toBe(source);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
    expect(response.headers.get('content-encoding')).toBe(encoding);
  });

  test('without a hash in their name are cached for an hour', async () => {
    const response = await get('/icon.svg');
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'public, max-age=3600']);
  });

  test('are served only if listed', async () => {
    for (const path of [`/${script}.br`, '/assets/other.js', '/assets/', '/assets/..%2findex.html']) {
      expect((await get(path)).status).toBe(404);
    }
  });
});

test('without built files, `/` reports it, and the API works', async () => {
  const response = await fetch(`${bare.url}/`);
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('The dashboard is not built');
  expect((await bare.call('GET', '/workflows')).status).toBe(200);
});

test('the routes match the pages', () => {
  const dashboard = new URL('../../dashboard/', import.meta.url);
  const router = readFileSync(new URL('src/router.tsx', dashboard), 'utf8');
  const routed = [...router.matchAll(/(?:path: |page\(\s*)'\/([a-z-]+)/g)].map(([, area]) => area);
  const areas: string[] = JSON.parse(readFileSync(new URL('areas.json', dashboard), 'utf8'));
  expect([...new Set(routed)].sort()).toEqual(areas.sort());
});
