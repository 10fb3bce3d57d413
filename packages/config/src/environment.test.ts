import { expect, test } from '@jest/globals';
import { childEnvironment, readAllowedEnvironment, readEnv, readHostEnvironment } from './index.ts';

test('other names are ignored, and blank means absent', () => {
  expect(readEnv({ PORT: ' 80 ', HOST: '', HOME: '/root', PGPASSWORD: 'x' })).toEqual({ PORT: '80' });
});

test('a relative XDG_CACHE_HOME is ignored, as the XDG specification requires', () => {
  expect(readHostEnvironment({ XDG_CACHE_HOME: '/var/cache/me', PATH: '/bin::/usr/bin' })).toEqual({
    searchPath: ['/bin', '/usr/bin'],
    cacheDir: '/var/cache/me/sluice',
  });
  expect(readHostEnvironment({ XDG_CACHE_HOME: 'cache' }).cacheDir).toMatch(/\/\.cache\/sluice$/);
});

test('a child process gets the environment of its parent with the changes applied', () => {
  expect(childEnvironment({ PORT: '1', HOST: undefined }, { PORT: '2', HOST: 'a', PATH: '/bin' })).toEqual({
    PORT: '1',
    PATH: '/bin',
  });
});

test('expressions get the listed variables that are set, and no others', () => {
  const variables = { REGION: 'eu', EMPTY: '', SECRET: 'x', constructor: 'c' };
  expect({ ...readAllowedEnvironment(['REGION', 'EMPTY', 'ABSENT'], variables) }).toEqual({ REGION: 'eu', EMPTY: '' });
});
