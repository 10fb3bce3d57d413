import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { redact, redactedText, restoreRedacted, secretValues } from './redaction.ts';

const rules = { knownFields: new Set(['user', 'password', 'options']), secretFields: new Set(['password']) };

test('data with too many fields is refused before any other work', () => {
  const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 'x']));
  expect(restoreRedacted(fields(1_000), {})).toEqual(fields(1_000));
  const issue = { path: '/data', message: 'must not have more than 1000 fields' };
  expect(() => restoreRedacted(fields(1_001), {})).toThrow(expect.objectContaining({ details: [issue] }));
});

describe('redact', () => {
  test('hides secret fields and fields that the type does not define, regardless of their value', () => {
    const data: JsonObject = {
      user: 'ann',
      password: '',
      options: { a: 1 },
      oauthTokenData: { access_token: 'x' },
      legacy: null,
    };
    expect(redact(data, rules)).toEqual({
      user: 'ann',
      password: redactedText,
      options: { a: 1 },
      oauthTokenData: redactedText,
      legacy: redactedText,
    });
  });

  test('treats names of prototype members as ordinary keys', () => {
    const data = JSON.parse('{"__proto__":{"a":1},"constructor":"x","user":"ann"}') as JsonObject;
    expect(JSON.stringify(redact(data, rules))).toBe(
      `{"__proto__":"${redactedText}","constructor":"${redactedText}","user":"ann"}`,
    );
  });

  test('hides exactly the values that count as secret', () => {
    expect(secretValues({ user: 'ann', password: 'p', other: { x: 'y' } }, rules)).toEqual(['p', { x: 'y' }]);
  });
});

describe('restoreRedacted', () => {
  test('the placeholder keeps the stored value, any other value replaces it', () => {
    const stored: JsonObject = { user: 'ann', password: 'p', old: 1 };
    expect({ ...restoreRedacted({ user: 'bob', password: redactedText }, stored) }).toEqual({ user: 'bob', password: 'p' });
  });

  test('a placeholder without a stored value is refused, even for names of prototype members', () => {
    for (const field of ['password', 'constructor', 'toString']) {
      expect(() => restoreRedacted({ [field]: redactedText }, {})).toThrow(
        expect.objectContaining({ code: 'VALIDATION_ERROR' }),
      );
    }
  });
});
