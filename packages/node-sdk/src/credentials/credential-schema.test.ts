import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { NodeProperty } from '../description.ts';
import { credentialSchema, secretFieldsOf } from './credential-schema.ts';

const properties: readonly NodeProperty[] = [
  { displayName: 'Note', name: 'note', type: 'notice', default: '' },
  { displayName: 'Host', name: 'host', type: 'string', default: '', required: true },
  {
    displayName: 'Port',
    name: 'port',
    type: 'number',
    default: 22,
    typeOptions: { minValue: 1, maxValue: 9, numberPrecision: 0 },
  },
  { displayName: 'TLS', name: 'tls', type: 'boolean', default: false },
  {
    displayName: 'By',
    name: 'by',
    type: 'options',
    default: 'password',
    options: [
      { name: 'Password', value: 'password' },
      { name: 'Key', value: 'key' },
    ],
  },
  {
    displayName: 'Password',
    name: 'password',
    type: 'string',
    default: '',
    required: true,
    typeOptions: { password: true },
    displayOptions: { show: { by: ['password'] } },
  },
  {
    displayName: 'Key',
    name: 'key',
    type: 'string',
    default: '',
    required: true,
    typeOptions: { password: true },
    displayOptions: { hide: { by: ['password'] } },
  },
  { displayName: 'More', name: 'more', type: 'json', default: '' },
  { displayName: 'Token', name: 'token', type: 'hidden', default: {}, typeOptions: { password: true } },
];

describe('the schema of a credential type', () => {
  const accepts = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(credentialSchema(properties));

  test.each([
    [{ host: 'h', password: 'p' }],
    [{ host: 'h', password: 'p', port: 5, tls: true, more: {}, token: { a: 1 } }],
    [{ host: 'h', by: 'key', key: 'k', password: '' }],
    [{ host: 'h', password: 'p', fieldOfANewerRelease: 1 }],
  ])('accepts %j', (data) => {
    expect([accepts(data), accepts.errors]).toEqual([true, null]);
  });

  test.each([
    ['a required field is missing', { password: 'p' }],
    ['a required field is empty', { host: '', password: 'p' }],
    ['a field required on the default of another is missing', { host: 'h' }],
    ['a field required on a condition is missing', { host: 'h', by: 'key', password: 'p' }],
    ['a field required on a condition is empty', { host: 'h', password: '' }],
    ['a choice is not one', { host: 'h', password: 'p', by: 'magic' }],
    ['a string is a number', { host: 1, password: 'p' }],
    ['a flag is a string', { host: 'h', password: 'p', tls: 'yes' }],
    ['a number is out of range', { host: 'h', password: 'p', port: 10 }],
    ['a whole number has a fraction', { host: 'h', password: 'p', port: 1.5 }],
    ['it is a list', []],
  ])('rejects data if %s', (_, data) => {
    expect(accepts(data)).toBe(false);
  });

  test('marks secrets as write-only and without a default', () => {
    const fields = credentialSchema(properties)['properties'];
    expect(fields).toMatchObject({ password: { writeOnly: true }, token: { writeOnly: true }, port: { default: 22 } });
    expect(fields).not.toHaveProperty('password.default');
    expect(fields).not.toHaveProperty('note');
  });

  test('omits a default that the schema would reject', () => {
    const fields = credentialSchema(properties)['properties'];
    expect(fields).not.toHaveProperty('host.default');
    expect(fields).toHaveProperty('more.default', '');
  });

  test('lists the secret fields', () => {
    expect(secretFieldsOf(properties)).toEqual(['password', 'key', 'token']);
  });
});
