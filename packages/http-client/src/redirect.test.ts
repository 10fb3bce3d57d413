import { describe, expect, test } from '@jest/globals';
import { createAddressPolicy } from './address-policy.ts';
import { type Hop, nextHop } from './redirect.ts';
import { requestHeaders } from './request-headers.ts';

const policy = createAddressPolicy({ ssrfProtection: 'on', ssrfAllow: [] });
const post: Hop = {
  method: 'POST',
  url: new URL('https://a.example/x'),
  headers: requestHeaders({
    Authorization: 'Bearer s',
    Cookie: 'a=b',
    'X-Api-Key': 'k',
    'Content-Type': 'text/plain',
    Accept: 'text/*',
  }),
  body: 'secret',
};

describe('redirects', () => {
  test.each([
    [301, 'POST', 'GET', undefined],
    [302, 'POST', 'GET', undefined],
    [303, 'POST', 'GET', undefined],
    [303, 'PUT', 'GET', undefined],
    [303, 'HEAD', 'HEAD', 'secret'],
    [301, 'PUT', 'PUT', 'secret'],
    [307, 'POST', 'POST', 'secret'],
    [308, 'POST', 'POST', 'secret'],
  ])('%i turns %s into %s', (status, method, expected, body) => {
    expect(nextHop({ ...post, method }, status, '/y', policy)).toMatchObject({ method: expected, body });
  });

  test('within an origin, all headers are kept, except those of a dropped body', () => {
    const { headers, url } = nextHop(post, 302, 'y?z', policy);
    expect(url.href).toBe('https://a.example/y?z');
    expect(headers.get('authorization')).toBe('Bearer s');
    expect(headers.has('content-type')).toBe(false);
  });

  test.each(['https://b.example/', 'https://a.example:8443/'])('to %s neither body nor secrets go along', (location) => {
    const { headers, body } = nextHop(post, 307, location, policy);
    expect(body).toBeUndefined();
    expect([...headers.keys()].sort()).toEqual(['accept', 'accept-encoding', 'user-agent']);
    expect(headers.get('accept')).toBe('text/*');
  });

  test.each([
    ['http://a.example/', 'HTTP_BLOCKED'],
    ['https://127.0.0.1/', 'HTTP_BLOCKED'],
    ['https://[::1]/', 'HTTP_BLOCKED'],
    ['file:///etc/passwd', 'HTTP_INVALID_URL'],
    ['https://user:pass@b.example/', 'HTTP_INVALID_URL'],
  ])('a redirect to %s fails with %s', (location, code) => {
    expect(() => nextHop(post, 302, location, policy)).toThrow(expect.objectContaining({ code }));
  });
});
