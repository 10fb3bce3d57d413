import { describe, expect, test } from '@jest/globals';
import type { HttpRequest } from '../http/http.ts';
import { applyTemplate } from './authentication.ts';

const request: HttpRequest = {
  method: 'GET',
  url: 'https://a.example/x?key=old&b=1',
  headers: { 'X-Key': 'old', accept: '*/*' },
};

describe('authentication by template', () => {
  test('headers replace existing headers of the same name, ignoring case', async () => {
    const result = await applyTemplate(request, { headers: { '{name}': 'Token {value}' } }, { name: 'x-key', value: 'v' });
    expect(result.headers).toEqual({ accept: '*/*', 'x-key': 'Token v' });
  });

  test('query parameters replace existing parameters of the same name, encoded', async () => {
    expect((await applyTemplate(request, { query: { key: '{value}' } }, { value: 'a&b' })).url).toBe(
      'https://a.example/x?key=a%26b&b=1',
    );
  });

  test('the original request is unchanged', async () => {
    await applyTemplate(request, { headers: { a: 'b' }, query: { c: 'd' } }, {});
    expect(request).toMatchObject({ url: 'https://a.example/x?key=old&b=1', headers: { 'X-Key': 'old' } });
  });

  test('Basic is UTF-8 (RFC 7617 §2.1)', async () => {
    const template = { basic: { user: '{user}', password: '{password}' } };
    expect((await applyTemplate(request, template, { user: 'test', password: '123£' })).headers).toMatchObject({
      authorization: 'Basic dGVzdDoxMjPCow==',
    });
    expect((await applyTemplate(request, template, { user: 'key' })).headers).toMatchObject({
      authorization: 'Basic a2V5Og==',
    });
    await expect(applyTemplate(request, template, { user: 'a:b', password: 'p' })).rejects.toThrow('no colon');
  });

  test.each([
    ['application/json; charset=utf-8', '{"a":1}', '{"a":1,"key":"v"}'],
    ['application/x-www-form-urlencoded', 'a=1&key=x', 'a=1&key=v'],
  ])('fields are added to a body of type %s', async (contentType, body, expected) => {
    const post = { ...request, headers: { 'Content-Type': contentType }, body };
    expect((await applyTemplate(post, { body: { key: '{value}' } }, { value: 'v' })).body).toBe(expected);
  });

  test.each([[undefined], ['[1]'], ['{a']])('the body %j takes no fields', async (body) => {
    const post = { ...request, headers: { 'content-type': 'application/json' }, ...(body !== undefined && { body }) };
    await expect(applyTemplate(post, { body: { key: 'v' } }, {})).rejects.toThrow(
      expect.objectContaining({ code: 'CREDENTIAL_UNUSABLE' }),
    );
  });

  test('an absent field is named; a value is not evaluated again', async () => {
    await expect(applyTemplate(request, { headers: { a: '{toString}' } }, {})).rejects.toThrow(
      expect.objectContaining({ code: 'CREDENTIAL_INCOMPLETE', details: { field: 'toString' } }),
    );
    expect((await applyTemplate(request, { headers: { a: '{x}' } }, { x: '{y}', y: 'no' })).headers).toMatchObject({
      a: '{y}',
    });
  });
});
