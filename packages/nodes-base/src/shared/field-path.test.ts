import { describe, expect, test } from '@jest/globals';
import { parseFieldPath, readField, withField, withoutField, withValue } from './field-path.ts';

describe('field paths', () => {
  test.each([
    ['a', ['a']],
    ['a.b.c', ['a', 'b', 'c']],
    ['a[0].b', ['a', '0', 'b']],
    ['a["b.c"].d', ['a', 'b.c', 'd']],
    ["['x y']", ['x y']],
    ['', ['']],
    ['..', ['', '', '']],
    ['.a', ['', 'a']],
    ['a.', ['a', '']],
    ['a..b', ['a', '', 'b']],
    ['a.[0].', ['a', '0', '']],
  ])('"%s" has the steps %j', (text, steps) => {
    expect(parseFieldPath(text)).toEqual(steps);
  });

  test('without dot notation a path is one step', () => {
    expect(parseFieldPath('a.b[0]', false)).toEqual(['a.b[0]']);
  });

  test('reading stops at absent fields and at prototypes', () => {
    const root = { a: [{ b: 1 }], n: null };
    expect(readField(root, ['a', '0', 'b'])).toBe(1);
    expect(readField(root, ['n', 'x'])).toBeUndefined();
    expect(readField(root, ['constructor'])).toBeUndefined();
    expect(readField(root, ['a', '__proto__'])).toBeUndefined();
  });

  test('writing creates missing containers and does not change the original', () => {
    const root = Object.freeze({ a: Object.freeze({ keep: 1 }) });
    expect(withField(root, ['a', 'b', 'c'], 2)).toEqual({ a: { keep: 1, b: { c: 2 } } });
    expect(root).toEqual({ a: { keep: 1 } });
  });

  test('numeric steps create lists and index them', () => {
    expect(withField({}, ['a', '2'], 'x')).toEqual({ a: [null, null, 'x'] });
    expect(withField({ a: [1, { b: 1 }] }, ['a', '1', 'b'], 2)).toEqual({ a: [1, { b: 2 }] });
    expect(withField({}, ['0'], 'x')).toEqual({ 0: 'x' });
  });

  test('writing undefined creates missing containers, but no field', () => {
    expect(withValue({ a: 1 }, ['a'], undefined)).toEqual({});
    expect(withValue({}, ['a', 'b'], undefined)).toEqual({ a: {} });
    expect(withValue({}, ['a', '0'], undefined)).toEqual({ a: [null] });
  });

  test('an index far beyond the end of the list is an error', () => {
    expect(() => withField({}, ['a', '99999999'], 1)).toThrow('far beyond');
  });

  test('__proto__ becomes a field like any other and pollutes nothing', () => {
    const written = withField({}, ['__proto__', 'polluted'], true);
    expect(Object.getPrototypeOf(written)).toBe(Object.prototype);
    expect(JSON.stringify(written)).toBe('{"__proto__":{"polluted":true}}');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('removing a field leaves its siblings and the original', () => {
    const root = { a: { b: 1, c: 2 }, d: 3 };
    expect(withoutField(root, ['a', 'b'])).toEqual({ a: { c: 2 }, d: 3 });
    expect(withoutField(root, ['x', 'y'])).toBe(root);
    expect(root).toEqual({ a: { b: 1, c: 2 }, d: 3 });
  });
});
