import { expect, test } from '@jest/globals';
import { findUnknownSettings } from './environment.ts';
import { settings } from './settings.ts';

test.each([
  ['CONCURENCY', 'CONCURRENCY'],
  ['REDIS_URI', 'REDIS_URL'],
  ['DATABASE_POOLSIZE', 'DATABASE_POOL_SIZE'],
  ['concurrency', 'CONCURRENCY'],
  ['SSRF-ALLOW', 'SSRF_ALLOW'],
  ['WORKER', 'WORKERS'],
])('%s is reported as a mistyped %s', (name, nearest) => {
  expect(findUnknownSettings({ [name]: '5' })).toEqual([{ name, nearest }]);
});

test('ordinary variables from machines, compose files, and Kubernetes are not reported', () => {
  const names =
    'PATH HOME HOSTNAME HOSTTYPE TERM SHELL USER LANG PWD OLDPWD SHLVL LOGNAME TZ CI EDITOR MAIL NODE_ENV NODE_OPTIONS POSTGRES_PASSWORD REDIS_PASSWORD SLUICE_IMAGE API_MEMORY WORKER_MEMORY WORKER_CPUS STOP_GRACE_PERIOD SLUICE_API_PORT SLUICE_API_SERVICE_HOST KUBERNETES_PORT LANGUAGE SPORT HOSTS http_proxy';
  expect(findUnknownSettings(Object.fromEntries(names.split(' ').map((name) => [name, 'x'])))).toEqual([
    { name: 'HOSTS', nearest: 'HOST' },
    { name: 'SPORT', nearest: 'PORT' },
  ]);
});

test('a known setting is never reported', () => {
  expect(findUnknownSettings(Object.fromEntries(Object.keys(settings).map((name) => [name, 'x'])))).toEqual([]);
});
