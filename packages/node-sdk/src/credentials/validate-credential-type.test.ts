import { expect, test } from '@jest/globals';
import { issueText } from '../validation/validate-node-type.ts';
import { validateCredentialType } from './validate-credential-type.ts';

const token = { displayName: 'Token', name: 'token', type: 'string', default: '' };
const typeWith = (changes: object) =>
  issueText(validateCredentialType({ name: 'acmeApi', displayName: 'Acme', properties: [token], ...changes }));

test.each<[object, string]>([
  [{ headers: { Authorization: 'Bearer {nofield}' } }, '/authenticate/headers/Authorization names the field nofield,'],
  [{ query: { '{name}': 'x' } }, '/authenticate/query/{name} names the field name,'],
  [{ basic: { user: '{token}', password: '{password}' } }, '/authenticate/basic/password names the field password,'],
  [{ basic: { user: '{token}' } }, '/authenticate/basic/password must be a string'],
  [{ body: { key: 1 } }, '/authenticate/body/key must be a string'],
])('an error in a template such as %j names the field', (authenticate, message) => {
  expect(typeWith({ authenticate })).toMatch(message);
});

test('a template may name properties, and fields that a parent or the type itself adds', () => {
  expect(typeWith({ authenticate: { headers: { Authorization: 'Bearer {token}', accept: '{"a":1}' } } })).toBe('');
  const authenticate = { headers: { Authorization: '{session}' } };
  const obtain = async () => ({});
  expect(typeWith({ authenticate, extends: ['httpHeaderAuth'] })).toBe('');
  expect(typeWith({ authenticate, complete: obtain })).toBe('');
  expect(typeWith({ authenticate, preAuthentication: { validForMs: 1_000, obtain } })).toBe('');
});

test('a field may not have the name of an inherited object member', () => {
  expect(typeWith({ properties: [{ ...token, name: '__proto__' }] })).toMatch(/^\/properties\/0\/name must be a string that /);
});
