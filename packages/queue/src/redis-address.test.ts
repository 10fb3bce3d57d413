import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { parseRedisUrl } from './redis-address.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-redis-address-'));
const pem = join(folder, 'ca.pem');
writeFileSync(pem, 'a certificate');
afterAll(() => rmSync(folder, { recursive: true }));

const a = { host: 'a', port: 26_379 };

test.each([
  ['unix:///run/redis.sock', { kind: 'single', hosts: [], options: { path: '/run/redis.sock' } }],
  ['redis://localhost', { kind: 'single', options: { host: 'localhost', port: 6379, db: 0 } }],
  [
    'redis://u:p%40:x@[::1]:7/3?family=6',
    { options: { host: '::1', port: 7, username: 'u', password: 'p@:x', db: 3, family: 6 } },
  ],
  ['redis://:p@a', { options: { host: 'a', password: 'p' } }],
  [
    'redis+sentinel://u:p@a,b:7/mine/2?sentinelUsername=s&sentinelPassword=t',
    {
      kind: 'sentinel',
      hosts: [a, { host: 'b', port: 7 }],
      options: { name: 'mine', db: 2, username: 'u', password: 'p', sentinelUsername: 's', sentinelPassword: 't' },
    },
  ],
  [
    'redis+cluster://:p@a,b:7',
    {
      kind: 'cluster',
      hosts: [
        { host: 'a', port: 6379 },
        { host: 'b', port: 7 },
      ],
      options: { password: 'p' },
    },
  ],
])('%s', (url, expected) => {
  expect(parseRedisUrl(url)).toMatchObject(expected);
  expect(parseRedisUrl(url).options).not.toHaveProperty('tls');
});

test.each(['rediss://a', 'rediss+sentinel://a/mine', 'rediss+cluster://a'])(
  '%s verifies the certificate unless it is configured not to',
  (url) => {
    expect(parseRedisUrl(url).options.tls).toEqual({ rejectUnauthorized: true });
    expect(parseRedisUrl(`${url}?insecure=true`).options.tls).toEqual({ rejectUnauthorized: false });
    expect(parseRedisUrl(`${url}?cacert=${pem}&cert=${pem}&key=${pem}&sni=redis.example`).options.tls).toEqual({
      ca: 'a certificate',
      cert: 'a certificate',
      key: 'a certificate',
      servername: 'redis.example',
      rejectUnauthorized: true,
    });
  },
);

test('with TLS, both the sentinels and the master are reached over TLS', () => {
  const { options } = parseRedisUrl('rediss+sentinel://a/mine');
  expect(options).toMatchObject({ enableTLSForSentinelMode: true, sentinelTLS: options.tls });
});

test.each([
  'http://a',
  'redis+other://a',
  'redis+sentinel://a',
  'redis://a?cacert=/ca.pem',
  'redis://a?keyPrefix=x',
  'rediss://a?cacert=/absent',
])('%s is rejected', (url) => {
  expect(() => parseRedisUrl(url)).toThrow();
});
