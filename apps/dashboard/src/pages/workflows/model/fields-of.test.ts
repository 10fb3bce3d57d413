import { describe, expect, test } from '@jest/globals';
import { fieldsOf, insertExpression } from './fields-of.ts';

describe('fieldsOf', () => {
  test('names every field, with the expression that reads it and a short value', () => {
    const item = { id: 7, 'first name': 'Ada', address: { city: 'Vienna' }, tags: ['new', 'old'], none: null };
    expect(fieldsOf(item)).toEqual([
      { path: 'id', expression: '$json.id', example: '7' },
      { path: 'first name', expression: '$json["first name"]', example: 'Ada' },
      { path: 'address', expression: '$json.address' },
      { path: 'address.city', expression: '$json.address.city', example: 'Vienna' },
      { path: 'tags', expression: '$json.tags' },
      { path: 'tags.0', expression: '$json.tags[0]', example: 'new' },
      { path: 'none', expression: '$json.none', example: 'null' },
    ]);
  });

  test('truncates long values and stops at the depth and count limits', () => {
    expect(fieldsOf({ text: 'x'.repeat(100) })[0]?.example).toHaveLength(40);
    expect(fieldsOf({ a: { b: { c: { d: { e: 1 } } } } }).map(({ path }) => path)).toEqual(['a', 'a.b', 'a.b.c', 'a.b.c.d']);
    expect(fieldsOf(Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`f${at}`, at])))).toHaveLength(100);
  });

  test('is empty without an item', () => {
    expect(fieldsOf(undefined)).toEqual([]);
  });
});

describe('insertExpression', () => {
  test('adds braces only outside braces', () => {
    expect(insertExpression('', 0, '$json.a')).toBe('{{ $json.a }}');
    expect(insertExpression('Dear ', 5, '$json.a')).toBe('Dear {{ $json.a }}');
    expect(insertExpression('{{  + 1 }}', 3, '$json.a')).toBe('{{ $json.a + 1 }}');
    expect(insertExpression('{{ 1 }} and ', 12, '$json.a')).toBe('{{ 1 }} and {{ $json.a }}');
  });
});
