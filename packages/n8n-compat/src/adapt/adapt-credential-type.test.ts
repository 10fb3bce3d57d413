import { describe, expect, test } from '@jest/globals';
import { defineCredentialType, type HttpRequest, type JsonObject } from '@sluice/node-sdk';
import type { CommunityCredentialType } from '../community-types.ts';
import { adaptCredentialType } from './adapt-credential-type.ts';

const signal = new AbortController().signal;
const text = (name: string, value = '') => ({ displayName: name, name, type: 'string', default: value });
const plain: HttpRequest = { method: 'GET', url: 'http://a/b?x=1' };

function adapted(type: Partial<CommunityCredentialType>, responses: { status?: number; body?: string }[] = []) {
  const requests: HttpRequest[] = [];
  const http = {
    request: async (request: HttpRequest) => {
      requests.push(request);
      const { status = 200, body = '{}' } = responses[requests.length - 1] ?? {};
      return { status, statusText: '', headers: {}, body: Buffer.from(body), url: request.url };
    },
  };
  const ports = {
    http,
    now: () => 0,
    randomBytes: () => new Uint8Array(),
    connect: async () => Promise.reject(new Error('no')),
    connectGuard: { allows: async () => false },
  };
  const source = adaptCredentialType({
    name: 'acmeApi',
    displayName: 'Acme',
    properties: [text('url', 'http://a'), text('key')],
    ...type,
  });
  const authenticate = (data: JsonObject, request = plain) => {
    if (typeof source.authenticate !== 'function') throw new Error('there is no function');
    return source.authenticate(request, data, ports, signal);
  };
  return { source, requests, ports, authenticate };
}

describe('a community credential type', () => {
  test('authenticates with strings for headers, query, body and basic', async () => {
    const { authenticate } = adapted({
      authenticate: {
        type: 'generic',
        properties: {
          headers: { 'X-Key': '={{ $credentials.key }}', 'X-Plain': '{{ $credentials.key }}' },
          qs: { from: '=at {{$credentials.url}}' },
          auth: { username: 'u', password: '={{$credentials.key}}' },
        },
      },
    });
    const { url, headers } = await authenticate({ key: 'k' });
    expect(url).toBe('http://a/b?x=1&from=at+http%3A%2F%2Fa');
    expect({ ...headers }).toEqual({ 'X-Key': 'k', 'X-Plain': '{{ $credentials.key }}', authorization: 'Basic dTpr' });
  });

  test('authenticates with one string for all headers and another for basic, if they have a value', async () => {
    const { authenticate } = adapted({
      authenticate: {
        type: 'generic',
        properties: {
          headers: '={{ $credentials.key ? { "X-Key": "at " + $credentials.key } : {} }}',
          auth: '={{ $credentials.user ? { username: $credentials.user, password: "p" } : undefined }}',
        },
      },
    });
    expect({ ...(await authenticate({ key: '={{ 1 }}' })).headers }).toEqual({ 'X-Key': 'at ={{ 1 }}' });
    expect({ ...(await authenticate({ user: 'u' })).headers }).toEqual({ authorization: 'Basic dTpw' });
  });

  test('omits fields whose value is undefined, and sends those whose value is an empty string', async () => {
    const some = { 'X-Key': '={{ $credentials.key }}', 'X-Optional': '={{ $credentials.site }}' };
    const { authenticate } = adapted({
      authenticate: {
        type: 'generic',
        properties: { headers: some, qs: { site: '={{$credentials.site}}' }, body: some, auth: {} },
      },
    });
    const request = { method: 'POST', url: 'http://a/b', body: '{}', headers: { 'content-type': 'application/json' } };
    const { url, headers, body } = await authenticate({ key: '' }, request);
    expect({ url, headers: { ...headers }, body }).toEqual({
      url: 'http://a/b',
      headers: { 'content-type': 'application/json', 'X-Key': '' },
      body: '{"X-Key":""}',
    });
  });

  test('tests with headers from one string and omits undefined values', async () => {
    const { source, requests, ports } = adapted({
      test: {
        request: {
          url: '={{ $credentials.url + "/me" }}',
          headers: '={{ { "X-Key": $credentials.key } }}',
          auth: '={{ $credentials.user ? { username: "u", password: "p" } : undefined }}',
        },
      },
    });
    if (typeof source.test !== 'function') throw new Error('there is no test');
    expect(await source.test({ key: 'k' }, ports, signal)).toMatchObject({ status: 'OK' });
    expect(requests).toMatchObject([{ url: 'http://a/me', headers: { 'X-Key': 'k' } }]);
    expect(requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test.each([
    ['GET', undefined, undefined],
    ['POST', undefined, '{"key":"k"}'],
    ['POST', '{"a":1}', '{"a":1,"key":"k"}'],
  ])('adds fields to the body of a %s with %j, if its method allows a body', async (method, body, sent) => {
    const properties = { body: { key: '={{$credentials.key}}' } };
    const { authenticate } = adapted({ authenticate: { type: 'generic', properties } });
    const headers = { 'content-type': 'application/json' };
    const request = await authenticate({ key: 'k' }, { method, url: 'http://a', ...(body && { body, headers }) });
    expect(request.body).toBe(sent);
    expect(request.headers?.['content-type']).toBe(sent && 'application/json');
  });

  test('authenticates with a function that receives the request in its own format', async () => {
    const { authenticate } = adapted({
      async authenticate(data: JsonObject, options: { headers: JsonObject; qs: JsonObject; body: JsonObject }) {
        return {
          ...options,
          headers: { ...options.headers, k: data['key'] },
          qs: { ...options.qs, y: 2 },
          body: { ...options.body, z: 3 },
        };
      },
    });
    const request = { method: 'POST', url: 'http://a/b?x=1', body: '{"a":1}', headers: { 'content-type': 'application/json' } };
    expect(await authenticate({ key: 'k' }, request)).toMatchObject({
      method: 'POST',
      url: 'http://a/b?x=1&y=2',
      body: '{"a":1,"z":3}',
      headers: { k: 'k' },
    });
  });

  test('requests fields before the first request', async () => {
    const { source, ports, requests } = adapted(
      {
        preAuthentication: async function (
          this: { helpers: { httpRequest(options: object): Promise<unknown> } },
          data: JsonObject,
        ) {
          return this.helpers.httpRequest({ url: `${data['url']}/login` });
        } as never,
      },
      [{ body: '{"token":"t"}' }],
    );
    expect(await source.preAuthentication?.obtain({ key: 'k' }, ports, signal)).toEqual({ token: 't' });
    expect(requests[0]?.url).toBe('http://a/login');
  });

  test.each([
    [{ status: 200 }, { status: 'OK' }],
    [{ status: 401 }, { status: 'Error', message: 'the service returned 401' }],
    [
      { status: 200, body: '{"ok":false}' },
      { status: 'Error', message: 'not ok' },
    ],
  ])('tests with a request and rules: %j', async (respond, result) => {
    const { source, ports, requests } = adapted(
      {
        authenticate: { type: 'generic', properties: { headers: { k: '={{$credentials.key}}' } } },
        test: {
          request: {
            baseURL: '={{$credentials.url.replace(/\\/$/, "")}}',
            url: '/me',
            skipSslCertificateValidation: '={{$credentials.none === 1}}',
          },
          rules: [{ type: 'responseSuccessBody', properties: { key: 'ok', value: false, message: 'not ok' } }],
        },
      },
      [respond],
    );
    expect(await source.test?.({ key: 'k', url: 'http://b/' }, ports, signal)).toMatchObject(result);
    expect(requests[0]).toMatchObject({ url: 'http://b/me', headers: { k: 'k' } });
    expect(requests[0]?.tls).toBeUndefined();
  });

  test('may be sent only to the hosts of its test request and of its URL fields', () => {
    const test = { request: { baseURL: '={{ "https://" + $credentials.site + ".acme.example" }}', url: '/me' } };
    const hostsOf = (type: Partial<CommunityCredentialType>, data: JsonObject) => {
      const { hosts } = adapted(type).source;
      return typeof hosts === 'function' ? hosts(data) : hosts;
    };
    const properties = [text('site'), text('tokenUrl'), text('note')];
    const data = { site: 'a', tokenUrl: 'https://login.example:8443/token', note: 'see x.example' };
    expect(hostsOf({ test, properties }, data)).toEqual(['a.acme.example', 'login.example:8443']);
    expect(hostsOf({ test: { request: { url: 'https://b.example/me' } }, properties }, {})).toEqual(['b.example']);
    expect(hostsOf({ test: { request: { url: 'http://c.example:81/me' } }, properties }, {})).toEqual(['http://c.example:81']);
    expect(hostsOf({ test: { request: { url: '/me' } }, properties }, {})).toEqual([]);
    expect(hostsOf({ properties }, data)).toBeUndefined();
  });

  test('does not require fields that have a default or are hidden', () => {
    const { source } = adapted({
      properties: [
        { ...text('url', 'https://a'), required: true },
        { ...text('token'), type: 'hidden', required: true },
        { ...text('key'), required: true },
      ],
    });
    expect(defineCredentialType(source).schema).toMatchObject({ required: ['key'] });
  });

  test('is tested at its base URL if the request has no URL', async () => {
    const { source, requests, ports } = adapted({ test: { request: { baseURL: '={{ $credentials.url }}/v1/me' } } });
    expect(await source.test?.({ url: 'http://c' }, ports, signal)).toMatchObject({ status: 'OK' });
    expect(requests[0]?.url).toBe('http://c/v1/me');
  });

  test('fills empty fields with its own defaults and those of its parents', () => {
    const parent = { properties: [text('scope', 'read'), text('url', 'http://parent')] };
    const properties = [text('url', 'http://a'), text('login', '={{ $self.url }}/login'), text('key')];
    const type = { name: 'acmeApi', displayName: 'A', extends: ['parentApi'], properties };
    const { complete } = adaptCredentialType(type, () => parent as never);
    expect(complete?.({ key: 'k', scope: 'write' })).toEqual({
      url: 'http://a',
      login: 'http://a/login',
      key: 'k',
      scope: 'write',
    });
  });

  test('provides its computed defaults to inherited functions', async () => {
    const seen: JsonObject[] = [];
    const parent = {
      name: 'oAuth2Api',
      displayName: 'OAuth2',
      properties: [],
      schema: {},
      secretFields: [],
      authenticate: (request: HttpRequest, data: JsonObject) => {
        seen.push(data);
        return request;
      },
    };
    const properties = [text('domain'), text('tokenUrl', '=https://{{ $self.domain }}/token'), text('scope', 'read')];
    const type = { name: 'acmeOAuth2Api', displayName: 'A', extends: ['oAuth2Api'], properties };
    const { authenticate } = adaptCredentialType(type, () => parent);
    const { ports } = adapted({});
    if (typeof authenticate === 'function')
      await authenticate(plain, { domain: 'a.example', scope: '={{ $self.domain }}' }, ports, signal);
    expect(seen).toEqual([{ domain: 'a.example', tokenUrl: 'https://a.example/token', scope: '={{ $self.domain }}' }]);
  });
});
