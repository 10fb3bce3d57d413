import { expect, test } from '@jest/globals';
import { databaseEndpoints, parseDatabaseUrl } from './database-address.ts';

test.each([
  ['postgres://u:p%40@a/db', ['postgres://u:p%40@a/db']],
  ['postgresql://sluice@/db?host=%2Frun&sslmode=disable', ['postgresql://sluice@/db?host=%2Frun&sslmode=disable']],
  [
    'postgres://u:p@a:1,b/db?sslmode=verify-full',
    ['postgres://u:p@a:1/db?sslmode=verify-full', 'postgres://u:p@b/db?sslmode=verify-full'],
  ],
  ['postgres://u@[::1]:1,[::2]:2', ['postgres://u@[::1]:1', 'postgres://u@[::2]:2']],
  ['postgres://u@/db?host=a,/run&port=1,2', ['postgres://u@/db?host=a&port=1', 'postgres://u@/db?host=%2Frun&port=2']],
  ['postgres://u@/db?port=7&host=a,b', ['postgres://u@/db?host=a&port=7', 'postgres://u@/db?host=b&port=7']],
])('%s names the servers %j', (url, urls) => {
  expect(parseDatabaseUrl(url).urls).toEqual(urls);
});

test.each([
  ['postgres://a/db', false],
  ['postgres://a,b/db', true],
  ['postgres://a,b/db?target_session_attrs=any', false],
  ['postgres://a/db?target_session_attrs=read-write', true],
  ['postgres://a/db?target_session_attrs=primary&connect_timeout=1', true],
  ['postgres://a,b/db?target_session_attrs=standby', false],
  ['postgres://a/db?target_session_attrs=prefer-standby', false],
])('%s requires a server that accepts writes: %j', (url, primaryOnly) => {
  expect(parseDatabaseUrl(url)).toMatchObject({ primaryOnly, pooled: false });
  expect(parseDatabaseUrl(url).urls.join()).not.toContain('target_session_attrs');
});

test('several hosts can be standbys if the caller allows it and the URL does not require a primary', () => {
  expect(parseDatabaseUrl('postgres://a,b/db', { allowStandby: true }).primaryOnly).toBe(false);
  expect(parseDatabaseUrl('postgres://a,b/db?target_session_attrs=read-write', { allowStandby: true }).primaryOnly).toBe(true);
});

test('pgbouncer=true is handled by the client and not sent to the server', () => {
  expect(parseDatabaseUrl('postgres://a/db?pgbouncer=true&sslmode=require')).toEqual({
    urls: ['postgres://a/db?sslmode=require'],
    primaryOnly: false,
    pooled: true,
  });
});

test('every host is an endpoint of the service, but a socket is not', () => {
  expect(databaseEndpoints('postgres://u@a:1,[::2],c:3/db')).toEqual([
    { host: 'a', port: 1 },
    { host: '::2', port: 5432 },
    { host: 'c', port: 3 },
  ]);
  expect(databaseEndpoints('postgres://u@/db?host=/run,d&port=5,6')).toEqual([{ host: 'd', port: 6 }]);
});
