import { describe, expect, test } from '@jest/globals';
import { credentialFields, redacted, storedSecrets, toData, toValues } from './credential-fields.ts';

describe('fields of a credential type', () => {
  test('have the kinds, choices, limits, and conditions of its properties', () => {
    const fields = credentialFields([
      {
        name: 'grant',
        displayName: 'Grant',
        type: 'options',
        default: 'code',
        options: [{ value: 'code', name: 'Authorization Code' }],
      },
      { name: 'port', displayName: 'Port', type: 'number', default: 25, typeOptions: { minValue: 1, maxValue: 65_535 } },
      {
        name: 'key',
        displayName: 'Key',
        type: 'string',
        default: '',
        required: true,
        description: 'As in `id_rsa`',
        typeOptions: { password: true, rows: 6 },
        displayOptions: { show: { grant: ['code'] } },
      },
    ]);
    expect(fields).toEqual([
      {
        name: 'grant',
        label: 'Grant',
        kind: 'choice',
        initial: 'code',
        choices: [{ value: 'code', label: 'Authorization Code' }],
      },
      { name: 'port', label: 'Port', kind: 'integer', initial: 25, min: 1, max: 65_535 },
      {
        name: 'key',
        label: 'Key',
        kind: 'secret',
        hint: 'As in id_rsa',
        required: true,
        rows: 6,
        shownIf: { grant: ['code'] },
      },
    ]);
  });

  test('that contain JSON are not masked, because it could not be edited', () => {
    const property = { name: 'json', displayName: 'JSON', type: 'json', default: '', typeOptions: { password: true } };
    expect(credentialFields([property])).toEqual([{ name: 'json', label: 'JSON', kind: 'json' }]);
  });

  test('exclude hidden fields', () => {
    expect(credentialFields([{ name: 'token', displayName: 'Token', type: 'hidden', default: {} }])).toEqual([]);
  });
});

describe('stored data', () => {
  const data = { user: 'ann', password: redacted, oauthTokenData: redacted };

  test('show no secret', () => {
    expect(toValues(data)).toEqual({ user: 'ann' });
    expect(storedSecrets(data)).toEqual(new Set(['password', 'oauthTokenData']));
  });

  test('keep secrets that were left empty, including hidden ones', () => {
    const stored = storedSecrets(data);
    expect(toData({ user: 'bob', password: '' }, stored)).toEqual({
      user: 'bob',
      password: redacted,
      oauthTokenData: redacted,
    });
    expect(toData({ user: 'bob', password: 'new' }, stored)['password']).toBe('new');
  });
});
