import { describe, expect, test } from '@jest/globals';
import type { HttpRequest, JsonObject } from '@sluice/node-sdk';
import { fakePorts } from '../testing/credential-ports.ts';
import { signed } from '../testing/signed.ts';
import { httpCustomAuth } from './http-custom-auth.ts';

const get = { method: 'GET', url: 'https://api.example/a?b=1' };
const sent = (json: string | JsonObject, request: HttpRequest = get) => signed(httpCustomAuth, request, { json }, fakePorts());

describe('httpCustomAuth', () => {
  test('replaces headers and query parameters of the same name, and does not change braces in them', async () => {
    const request = { ...get, headers: { 'X-Key': 'old', accept: 'a' } };
    expect(await sent('{"headers":{"x-key":"{v}"},"qs":{"b":2,"c":"d e"}}', request)).toEqual({
      method: 'GET',
      url: 'https://api.example/a?b=2&c=d+e',
      headers: { accept: 'a', 'x-key': '{v}' },
    });
    expect(await sent({ headers: { n: 5 } })).toMatchObject({ url: get.url, headers: { n: '5' } });
  });

  test.each<[string, Partial<HttpRequest>, string]>([
    ['JSON', { headers: { 'content-type': 'application/json' }, body: '{"a":1}' }, '{"a":1,"key":{"n":2}}'],
    ['a form', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=1' }, 'a=1&key=%7B%22n%22%3A2%7D'],
    ['no body', {}, '{"key":{"n":2}}'],
  ])('adds body fields to %s', async (_, parts, body) => {
    const request = { method: 'POST', url: get.url, ...parts };
    expect((await sent({ body: { key: { n: 2 } } }, request)).body).toBe(body);
  });

  test('rejects a body that cannot hold fields', async () => {
    const request = { method: 'POST', url: get.url, body: 'text' };
    await expect(sent({ body: { key: 'v' } }, request)).rejects.toMatchObject({ code: 'CREDENTIAL_UNUSABLE' });
    await expect(sent({ body: { key: 'v' } })).rejects.toMatchObject({ code: 'CREDENTIAL_UNUSABLE' });
  });

  test.each(['', '[]', '{', '{"headers":[]}', '{"qs":"a=b"}'])('%j is incomplete', async (json) => {
    await expect(sent(json)).rejects.toMatchObject({ code: 'CREDENTIAL_INCOMPLETE' });
  });
});
