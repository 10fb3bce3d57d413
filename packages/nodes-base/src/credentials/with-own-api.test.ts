import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { type CredentialPorts, type HttpRequest, httpAuthentication, type JsonObject } from '@sluice/node-sdk';
import { createCredentialTypeRegistry } from './credential-type-registry.ts';

const ownUrl = 'https://sluice.example/api/v1';
const typeOf = (url: string | null, keyHeader = 'X-SERVICE-API-KEY') => {
  const type = createCredentialTypeRegistry(undefined, { url, keyHeader }).find('n8nApi');
  if (!type) throw new Error('the type is missing');
  return type;
};
const hostsOf = (data: JsonObject, { hosts, complete } = typeOf(ownUrl)) =>
  typeof hosts === 'function' ? hosts(complete?.(data) ?? data) : hosts;

test('a credential for the API without an address is for the API of this service', () => {
  const { complete } = typeOf(ownUrl);
  expect(complete?.({ apiKey: 'k', baseUrl: '' })).toEqual({ apiKey: 'k', baseUrl: ownUrl });
  expect(complete?.({ apiKey: 'k', baseUrl: 'https://other.example/api/v1' })['baseUrl']).toBe('https://other.example/api/v1');
  expect(hostsOf({ apiKey: 'k' })).toEqual(['sluice.example:443']);
  expect(hostsOf({ apiKey: 'k', baseUrl: 'http://other.example/api/v1' })).toEqual(['http://other.example:80']);
});

test('its test sends a request to this service', async () => {
  const sent: HttpRequest[] = [];
  const request = async (one: HttpRequest) => {
    sent.push(one);
    return { status: 200, statusText: '', headers: {}, body: new Uint8Array(), url: one.url };
  };
  const ports = { http: { request } } as unknown as CredentialPorts;
  const result = await typeOf(ownUrl).test?.({ apiKey: 'k' }, ports, new AbortController().signal);
  expect([result?.status, sent[0]?.url]).toEqual(['OK', `${ownUrl}/workflows?limit=1`]);
});

test('its key is sent in the header that this service reads, and to no other service', async () => {
  const type = typeOf(ownUrl, 'X-Own-Key');
  const ports = { http: { request: async () => Promise.reject(new Error('unexpected')) }, now: Date.now, randomBytes };
  const headersOf = async (url: string) => {
    const authentication = httpAuthentication(type, { apiKey: 'k' }, ports);
    const sent = await authentication?.authenticate?.({ method: 'GET', url }, new AbortController().signal);
    return sent?.headers?.['X-Own-Key'];
  };
  expect(await headersOf(`${ownUrl}/workflows`)).toBe('k');
  for (const other of ['https://other.example/api/v1/workflows', 'https://sluice.example/api/v10', 'https://sluice.example/'])
    expect(await headersOf(other)).toBeUndefined();
  const sent: HttpRequest[] = [];
  const request = async (one: HttpRequest) => {
    sent.push(one);
    return { status: 200, statusText: '', headers: {}, body: new Uint8Array(), url: one.url };
  };
  const testPorts = { http: { request } } as unknown as CredentialPorts;
  await type.test?.({ apiKey: 'k' }, testPorts, new AbortController().signal);
  expect(sent[0]?.headers).toMatchObject({ 'X-Own-Key': 'k' });
});

test('without a known address of this service, the field is required', () => {
  expect(typeOf(null).problemOf?.({ apiKey: 'k' })).toMatch(/"baseUrl" must be set.*PUBLIC_URL/);
  expect(typeOf(null).problemOf?.({ apiKey: 'k', baseUrl: 'https://a.example' })).toBeUndefined();
  expect(typeOf(ownUrl).problemOf?.({ apiKey: 'k' })).toBeUndefined();
  expect(hostsOf({ apiKey: 'k' }, typeOf(null))).toEqual([]);
});
