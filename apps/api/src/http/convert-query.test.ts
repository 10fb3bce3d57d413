import { describe, expect, test } from '@jest/globals';
import { Type } from '@sluice/contract';
import { convertQuery } from './convert-query.ts';

const schema = Type.Object({ flag: Type.Boolean(), n: Type.Integer(), text: Type.String() });

describe('convertQuery', () => {
  test('gives known parameters their type and drops the others', () => {
    expect(convertQuery(schema, { flag: 'true', n: '12', text: '12', other: 'x' })).toEqual({ flag: true, n: 12, text: '12' });
  });

  test('leaves what does not convert for the schema to refuse', () => {
    const odd = { flag: 'yes', n: '1.5', text: ['a', 'b'] };
    expect(convertQuery(schema, odd)).toEqual(odd);
  });

  test('does not take inherited properties for parameters', () => {
    expect(convertQuery(schema, Object.create({ text: 'inherited' }))).toEqual({});
  });
});
