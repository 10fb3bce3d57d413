import { expect, test } from '@jest/globals';
import { exitCodes } from '../exit-codes.ts';
import { checkProfile } from './profiles.ts';

test('the address of a profile may end with a slash or with the path of the API', () => {
  for (const url of ['http://x:1', 'http://x:1/', 'http://x:1/api/v1', 'http://x:1/api/v1/'])
    expect(checkProfile({ url, apiKey: 'a key' }, 'it')).toEqual({ url: 'http://x:1', apiKey: 'a key' });
});

test.each([
  ['no address', { url: 'x', apiKey: 'secret' }, 'it must be an address such as'],
  ['another protocol', { url: 'ftp://x', apiKey: 'secret' }, 'it must be an address such as'],
  ['a password', { url: 'http://a:secret@x', apiKey: 'secret' }, 'without a user and password'],
  ['a line break in the key', { url: 'http://x', apiKey: 'secret\nsecret' }, 'cannot have'],
  ['another alphabet in the key', { url: 'http://x', apiKey: 'secret\u043a' }, 'cannot have'],
  ['a space in the header', { url: 'http://x', apiKey: 'secret', keyHeader: 'a b' }, 'cannot have'],
])('a profile with %s is a usage error that does not contain the key', (_, profile, message) => {
  let error: unknown;
  try {
    checkProfile(profile, 'it');
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ exitCode: exitCodes.usage, message: expect.stringContaining(message) });
  expect((error as Error).message).not.toContain('secret');
});
