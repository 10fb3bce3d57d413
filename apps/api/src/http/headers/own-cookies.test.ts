import { describe, expect, test } from '@jest/globals';
import { cookiePathOf, isOwnCookie, withoutOwnCookies } from './own-cookies.ts';

describe('a cookie of the service', () => {
  test.each([
    'sluice-connect-0123456789abcdef=v; Path=/oauth2',
    '__Host-sluice-connect-0123456789abcdef=v; Secure; Path=/',
    '__Secure-sluice-connect-0=v',
    ' \tsluice-connect-0=v',
    'SLUICE-Connect-0=v',
    '=sluice-connect-0=v',
    ' = = sluice-connect-0=v',
    'sluice-connect-0',
  ])('is recognized: %j', (text) => expect(isOwnCookie(text)).toBe(true));

  test.each(['session=sluice-connect-0', 'my-sluice-connect-0=1', '__Host-other=1', ''])('is not recognized: %j', (text) =>
    expect(isOwnCookie(text)).toBe(false),
  );
});

test('is removed from the request that a workflow sees', () => {
  const read = (cookie: string) => withoutOwnCookies({ host: 'h', cookie });
  expect(read('a=1; __Host-sluice-connect-0=secret;b=2')).toEqual({ host: 'h', cookie: 'a=1; b=2' });
  expect(read('sluice-connect-0=secret')).toEqual({ host: 'h' });
  expect(read('a=1;b=2')).toEqual({ host: 'h', cookie: 'a=1;b=2' });
  expect(withoutOwnCookies({ host: 'h' })).toEqual({ host: 'h' });
});

test.each([
  ['/webhook/app', null, '/webhook/app'],
  ['/webhook/app/login/now', null, '/webhook/app'],
  ['/webhook/app/', 'https://sluice.example', '/webhook/app'],
  ['/form/a%20b/c', 'https://sluice.example/flows', '/flows/form/a%20b'],
  ['/webhook-waiting/7/token', 'https://sluice.example/flows/', '/flows/webhook-waiting/7'],
  ['/webhook/a;b', null, undefined],
  [`/webhook/${'a'.repeat(1_015)}`, null, `/webhook/${'a'.repeat(1_015)}`],
  [`/webhook/${'a'.repeat(1_016)}`, null, undefined],
  ['/webhook//app', null, undefined],
  ['/webhook', null, undefined],
])('cookies of the workflow at %s (%s) have the path %s', (path, publicUrl, cookiePath) => {
  expect(cookiePathOf(path, publicUrl)).toBe(cookiePath);
});
