import { describe, expect, test } from '@jest/globals';
import { Type } from '@sluice/contract';
import { convertQuery } from './query.ts';

const schema = Type.Object({ flag: Type.Boolean(), n: Type.Integer(), text: Type.String() });

describe('convertQuery', () => {
  test('converts known parameters to their types and drops unknown parameters', () => {
    expect(convertQuery(schema, { flag: 'true', n: '12', text: '12', other: 'x' })).toEqual({ flag: true, n: 12, text: '12' });
  });

  test('passes unconvertible values to the schema, which rejects them', () => {
    const odd = { flag: 'yes', n: '1.5' };
    expect(convertQuery(schema, odd)).toEqual(odd);
  });

  test('rejects a repeated known parameter', () => {
    expect(() => convertQuery(schema, { text: ['a', 'a'] })).toThrow(
      expect.objectContaining({ details: [{ path: '/text', message: 'appears more than once' }] }),
    );
    expect(convertQuery(schema, { other: ['a', 'b'] })).toEqual({});
  });

  test.each(['text[]', 'text[x]', 'flag[0]'])('rejects %s, which differs from the name of the parameter', (name) => {
    expect(() => convertQuery(schema, { [name]: 'a' })).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        details: [{ path: `/${name.split('[')[0]}`, message: expect.any(String) }],
      }),
    );
  });

  test('accepts parameters whose names contain brackets', () => {
    const filtered = Type.Object({ filter: Type.String(), 'filter[name]': Type.String() });
    expect(convertQuery(filtered, { 'filter[name]': 'a', 'other[]': 'b' })).toEqual({ 'filter[name]': 'a' });
    expect(() => convertQuery(filtered, { 'filter[age]': '1' })).toThrow(
      expect.objectContaining({ details: [{ path: '/filter', message: 'has only the fields name' }] }),
    );
  });

  test('does not treat inherited properties as parameters', () => {
    expect(convertQuery(schema, Object.create({ text: 'inherited' }))).toEqual({});
  });
});
