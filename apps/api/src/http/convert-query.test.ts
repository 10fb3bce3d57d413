import { describe, expect, test } from '@jest/globals';
import { Type } from '@sluice/contract';
import { convertQuery } from './convert-query.ts';

const schema = Type.Object({ flag: Type.Boolean(), n: Type.Integer(), text: Type.String() });

describe('convertQuery', () => {
  test('converts known parameters to their types and drops the others', () => {
    expect(convertQuery(schema, { flag: 'true', n: '12', text: '12', other: 'x' })).toEqual({ flag: true, n: 12, text: '12' });
  });

  test('passes unconvertible values to the schema, which rejects them', () => {
    const odd = { flag: 'yes', n: '1.5', text: ['a', 'b'] };
    expect(convertQuery(schema, odd)).toEqual(odd);
  });

  test.each(['text[]', 'text[x]', 'flag[0]'])('refuses %s, which means something else than the parameter', (name) => {
    expect(() => convertQuery(schema, { [name]: 'a' })).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        details: [{ path: `/${name.split('[')[0]}`, message: expect.any(String) }],
      }),
    );
  });

  test('knows parameters with brackets in their own name', () => {
    const filtered = Type.Object({ filter: Type.String(), 'filter[name]': Type.String() });
    expect(convertQuery(filtered, { 'filter[name]': 'a', 'other[]': 'b' })).toEqual({ 'filter[name]': 'a' });
  });

  test('does not take inherited properties for parameters', () => {
    expect(convertQuery(schema, Object.create({ text: 'inherited' }))).toEqual({});
  });
});
