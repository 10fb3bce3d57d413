import { describe, expect, test } from '@jest/globals';
import { fromJsonText, newEntry, toExpression, toFixed, toJsonText } from './values.ts';

describe('fixed values and expressions', () => {
  test.each([
    ['text', 'string', ''],
    [5, 'number', 0],
    [true, 'boolean', false],
    [['a'], 'multiOptions', []],
  ] as const)('%j becomes an expression and back', (value, type, fallback) => {
    expect(toFixed(toExpression(value), { type, default: fallback as never })).toEqual(value);
  });

  test('an expression without a fixed value becomes the default', () => {
    expect(toFixed('={{ $json.count }}', { type: 'number', default: 7 })).toBe(7);
    expect(toFixed('=', { type: 'string', default: 'x' })).toBe('x');
    expect(toFixed('={{ $json.name }}', { type: 'string', default: '' })).toBe('{{ $json.name }}');
  });
});

test('JSON is text if the property contains text, and a value otherwise', () => {
  expect(fromJsonText('{ "a": 1 }', { default: '{}' })).toBe('{ "a": 1 }');
  expect(fromJsonText('{ "a": 1 }', { default: {} })).toEqual({ a: 1 });
  expect(() => fromJsonText('{', { default: {} })).toThrow();
  expect(() => fromJsonText('[1e999]', { default: {} })).toThrow('out of range');
  expect(toJsonText({ a: 1 })).toBe('{\n  "a": 1\n}');
});

test('a new entry has the defaults of the members that are always visible', () => {
  const values = [
    { displayName: 'Name', name: 'name', type: 'string', default: 'n' },
    { displayName: 'Hint', name: 'hint', type: 'notice', default: '' },
    { displayName: 'More', name: 'more', type: 'string', default: '', displayOptions: { show: { name: ['x'] } } },
  ] as const;
  expect(newEntry({ name: 'values', displayName: 'Values', values })).toEqual({ name: 'n' });
});
