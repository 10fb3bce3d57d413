import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import type { CredentialTypeDefinition } from './credential.ts';
import { inheritCredentialTypes } from './credential-parents.ts';
import { defineCredentialType } from './define-credential-type.ts';
import { validateCredentialType } from './validate-credential-type.ts';

const field = (name: string) => ({ displayName: name, name, type: 'string' as const, default: '' });
const parent = defineCredentialType({
  name: 'parentApi',
  displayName: 'Parent',
  properties: [field('token'), field('region')],
  authenticate: { headers: { Authorization: 'Bearer {token}' } },
  test: async () => ({ status: 'OK', message: '' }),
});
const child: CredentialTypeDefinition = {
  name: 'childApi',
  displayName: 'Child',
  extends: ['parentApi'],
  properties: [{ ...field('region'), default: 'eu' }],
};
const find = (name: string) => (name === 'parentApi' ? parent : undefined);

describe('a credential type that extends another', () => {
  test('inherits fields and functions, except fields that it defines itself', () => {
    const type = inheritCredentialTypes(child, find);
    expect(type.properties.map(({ name, default: initial }) => [name, initial])).toEqual([
      ['token', ''],
      ['allowedHttpRequestDomains', 'all'],
      ['allowedDomains', ''],
      ['region', 'eu'],
    ]);
    expect([type.name, type.authenticate, type.test]).toEqual(['childApi', parent.authenticate, parent.test]);
  });

  test('keeps its own functions', () => {
    const authenticate = { query: { key: '{token}' } };
    expect(inheritCredentialTypes({ ...child, authenticate }, find).authenticate).toBe(authenticate);
    const answerChallenge = () => undefined;
    expect(inheritCredentialTypes({ ...child, answerChallenge }, find)).not.toHaveProperty('authenticate');
  });

  test('applies the defaults and the checks of its parent', () => {
    const strict = defineCredentialType({
      name: 'strictApi',
      displayName: 'Strict',
      properties: [field('region'), field('site')],
      complete: (data) => ({ region: 'eu', site: `in ${data['region'] ?? 'eu'}`, ...data }),
      problemOf: ({ region }) => (region === 'mars' ? 'there is no such region' : undefined),
    });
    const extending = (more: Partial<CredentialTypeDefinition>) =>
      inheritCredentialTypes({ ...child, extends: ['strictApi'], properties: [], ...more }, () => strict);
    const plain = extending({});
    expect(plain.complete?.({ token: 't' })).toEqual({ token: 't', region: 'eu', site: 'in eu' });
    expect([plain.problemOf?.({ region: 'mars' }), plain.problemOf?.({})]).toEqual(['there is no such region', undefined]);
    const type = extending({
      complete: (data) => ({ ...data, full: `${data['site']}!` }),
      problemOf: ({ token }) => (token === undefined ? 'a token is missing' : undefined),
    });
    expect(type.complete?.({})).toEqual({ region: 'eu', site: 'in eu', full: 'in eu!' });
    expect([type.problemOf?.({}), type.problemOf?.({ token: 't', region: 'mars' })]).toEqual([
      'a token is missing',
      'there is no such region',
    ]);
  });

  test('declares the hosts of its parent unless it has its own, and is limited to them by default', () => {
    const parent = defineCredentialType({ ...child, name: 'parentApi', authenticate: {}, hosts: ['api.example'] });
    const hostsOf = (own: object) => {
      const { properties, hosts } = defineCredentialType(inheritCredentialTypes({ ...child, ...own }, () => parent));
      return [hosts, properties.find(({ name }) => name === 'allowedHttpRequestDomains')?.default];
    };
    expect(hostsOf({})).toEqual([['api.example'], 'none']);
    expect(hostsOf({ hosts: ['b.example'] })).toEqual([['b.example'], 'none']);
  });

  test('requires an existing parent', () => {
    expect(() => inheritCredentialTypes(child, () => undefined)).toThrow('childApi extends parentApi, which does not exist');
  });
});

test('fields from a service are requested again after they expire', async () => {
  const { renewal, complete } = defineCredentialType({
    ...child,
    preAuthentication: { validForMs: 1_000, obtain: async ({ user }: JsonObject) => ({ session: `of ${user}` }) },
  });
  const refused = () => Promise.reject(new Error());
  const ports = {
    now: () => 5_000,
    randomBytes: () => new Uint8Array(),
    http: { request: refused },
    connect: refused,
    connectGuard: { allows: refused },
  };
  const data = await renewal?.renew({ user: 'u' }, ports, new AbortController().signal);
  expect(data).toEqual({ user: 'u', session: 'of u', preAuthenticatedUntil: 6_000 });
  expect(renewal?.isDue({ user: 'u' }, 5_000)).toBe(true);
  expect(renewal?.isDue(data ?? {}, 5_999)).toBe(false);
  expect(renewal?.isDue(data ?? {}, 6_000)).toBe(true);
  expect(complete?.(data ?? {})).toEqual({ user: 'u', session: 'of u' });
});

describe('validating a credential type', () => {
  test('accepts every member', () => {
    const preAuthentication = { validForMs: 1, obtain: async () => ({}) };
    expect(validateCredentialType({ ...child, ...parent, preAuthentication })).toEqual([]);
  });

  test.each<[object | null, string]>([
    [null, '/'],
    [{ ...child, name: 'child-api' }, '/name'],
    [{ ...child, displayName: undefined }, '/displayName'],
    [{ ...child, properties: [{}] }, '/properties/0/displayName'],
    [{ ...child, documentation: 'see the manual' }, '/documentation'],
    [{ ...child, extends: 'parentApi' }, '/extends'],
    [{ ...child, authenticate: { headers: { a: 1 } } }, '/authenticate/headers/a'],
    [{ ...child, test: {} }, '/test'],
    [{ ...child, renewal: { isDue: () => true } }, '/renewal/renew'],
    [{ ...child, preAuthentication: { obtain: () => ({}) } }, '/preAuthentication/validForMs'],
  ])('%j is refused, naming the field', (type, path) => {
    expect(validateCredentialType(type)[0]?.path).toBe(path);
  });
});
