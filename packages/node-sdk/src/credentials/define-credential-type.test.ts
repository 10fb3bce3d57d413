import { expect, test } from '@jest/globals';
import type { CredentialPorts } from '../access/ports.ts';
import type { TestCredential } from './credential.ts';
import { inheritCredentialTypes } from './credential-parents.ts';
import { defineCredentialType } from './define-credential-type.ts';

const signal = new AbortController().signal;
const ports = {} as CredentialPorts;

function typeWith(tested: TestCredential) {
  const password = {
    displayName: 'P',
    name: 'password',
    type: 'string' as const,
    default: '',
    typeOptions: { password: true },
  };
  return defineCredentialType({ name: 'aType', displayName: 'A Type', properties: [password], test: tested });
}

test('an error thrown by a test becomes a result without secrets', async () => {
  const { test: tried } = typeWith(async () => {
    throw new Error('login with hunter22 failed');
  });
  expect(await tried?.({ password: 'hunter22' }, ports, signal)).toEqual({ status: 'Error', message: 'login with *** failed' });
});

test('an error thrown before the first wait becomes a result, too', async () => {
  const { test: tried } = typeWith(() => {
    throw new Error('the credential lacks the field "url"');
  });
  expect(await tried?.({}, ports, signal)).toEqual({ status: 'Error', message: 'the credential lacks the field "url"' });
});

test('the message of a result contains no secrets', async () => {
  const { test: tried } = typeWith(async () => ({ status: 'OK', message: 'hunter22 works' }));
  expect(await tried?.({ password: 'hunter22' }, ports, signal)).toEqual({ status: 'OK', message: '*** works' });
});

test("an aborted signal's reason is thrown, not returned as a result", async () => {
  const { test: tried } = typeWith(async () => {
    throw new Error('socket closed');
  });
  const reason = new Error('canceled');
  await expect(tried?.({}, ports, AbortSignal.abort(reason))).rejects.toBe(reason);
});

test('schema and secret fields follow from the properties', () => {
  expect(typeWith(async () => ({ status: 'OK', message: '' }))).toMatchObject({
    secretFields: ['password'],
    schema: { type: 'object', properties: { password: { type: 'string' } } },
  });
});

test('fields issued by a service are always secret, but defaults are not', () => {
  const hidden = (name: string, more: object = {}) => ({
    displayName: name,
    name,
    type: 'hidden' as const,
    default: '',
    ...more,
  });
  const properties = [
    { ...hidden('user'), type: 'string' as const },
    hidden('token', { typeOptions: { expirable: true } }),
    hidden('session'),
    hidden('grant', { default: 'password' }),
  ];
  const source = { name: 'aType', displayName: 'A Type', properties };
  const preAuthentication = { validForMs: 1, obtain: async () => ({}) };
  const type = defineCredentialType({ ...source, preAuthentication });
  expect(type.secretFields).toEqual(['token', 'session']);
  expect(type.schema).toMatchObject({ properties: { token: { writeOnly: true }, session: { writeOnly: true } } });
  expect(
    defineCredentialType(inheritCredentialTypes({ ...source, properties: [], extends: ['aType'] }, () => type)).secretFields,
  ).toEqual(['token', 'session']);
  expect(defineCredentialType(source).secretFields).toEqual(['token']);
});

test('an instance of a class keeps its hosts, which limit where its secrets are sent', () => {
  class AcmeApi {
    name = 'acmeApi';
    displayName = 'Acme';
    properties = [];
    hosts = ['api.acme.example'];
    get [Symbol.toStringTag]() {
      return this.name;
    }
  }
  expect(defineCredentialType(new AcmeApi()).hosts).toEqual(['api.acme.example']);
});
