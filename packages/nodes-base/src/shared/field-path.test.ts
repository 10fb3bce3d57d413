import { describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { longestBusy } from '@sluice/test-support';
import { FieldEditor, parseFieldPath, readField, withField, withoutField } from './field-path.ts';

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

  test.each<[string, JsonObject, JsonValue | undefined]>([
    ['Amount [EUR]', { 'Amount [EUR]': 3 }, 3],
    ['tags[]', { 'tags[]': ['x'], tags: { '': 1 } }, ['x']],
    ['a[b].c', { 'a[b].c': 1, 'a.b.c': 2, a: { b: { c: 3 } } }, 1],
    ['a[b].c', { 'a.b.c': 2, a: { b: { c: 3 } } }, 3],
    ['["x"]', { x: 1, '["x"]': 2 }, 2],
    ['a.b', { 'a.b': 1, a: { b: 2 } }, 1],
  ])('"%s" is the field with this name in %j, if there is one', (text, root, expected) => {
    expect(readField(root, parseFieldPath(text))).toEqual(expected);
  });

  test('an edit of a field whose name contains brackets edits this field', () => {
    const path = parseFieldPath('Amount [EUR]');
    const root = { 'Amount [EUR]': 3, id: 1 };
    expect(withField(root, path, 4)).toEqual({ 'Amount [EUR]': 4, id: 1 });
    expect(withoutField(root, path)).toEqual({ id: 1 });
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
    expect(withField({ a: 1 }, ['a'], undefined)).toEqual({});
    expect(withField({}, ['a', 'b'], undefined)).toEqual({ a: {} });
    expect(withField({}, ['a', '0'], undefined)).toEqual({ a: [null] });
  });

  test('many small gaps are an error together', () => {
    const editor = new FieldEditor({});
    const fill = () => {
      for (let index = 1_000; index < 20_000; index += 1_000) editor.set(['a', String(index)], 1);
    };
    expect(fill).toThrow('far beyond');
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

  test('removing a field keeps its siblings and the original', () => {
    const root = { a: { b: 1, c: 2 }, d: 3 };
    expect(withoutField(root, ['a', 'b'])).toEqual({ a: { c: 2 }, d: 3 });
    expect(withoutField(root, ['x', 'y'])).toBe(root);
    expect(root).toEqual({ a: { b: 1, c: 2 }, d: 3 });
  });

  test.each<[string, JsonObject, string, JsonObject]>([
    ['an element of a list', { a: [1, { b: 2 }] }, 'a[0]', { a: [null, { b: 2 }] }],
    ['a field in an element', { a: [1, { b: 2 }] }, 'a[1].b', { a: [1, {}] }],
    ['an element of a list in a list', { a: [[1, 2]] }, 'a[0][1]', { a: [[1, null]] }],
    ['a field that has the whole path as its name', { 'a.b': 1, a: { b: 2 } }, 'a.b', { a: { b: 2 } }],
    ['an index beyond the end', { a: [1] }, 'a[1]', { a: [1] }],
    ['the length of a list', { a: [1] }, 'a.length', { a: [1] }],
    ['a field of a string', { a: 'x' }, 'a.b', { a: 'x' }],
  ])('removes %s', (_, root, path, expected) => {
    expect(withoutField(root, parseFieldPath(path))).toEqual(expected);
  });
});

describe('FieldEditor', () => {
  test('edits copies of the source and of the values written', () => {
    const source = { a: { b: [1, 2] }, c: { d: 1 } };
    const shared = { x: 1 };
    const editor = new FieldEditor(source).set(['a', 'b', '0'], 9).set(['a', 'e'], shared).set(['f'], shared);
    editor.set(['a', 'e', 'x'], 2).set(['f', 'y'], 3).remove(['a', 'b', '1']);
    expect(editor.json).toEqual({ a: { b: [9, null], e: { x: 2 } }, c: { d: 1 }, f: { x: 1, y: 3 } });
    expect(editor.json['c']).toBe(source.c);
    expect([source, shared]).toEqual([{ a: { b: [1, 2] }, c: { d: 1 } }, { x: 1 }]);
  });

  test('copies each container once, regardless of how many fields it writes and removes', async () => {
    const editor = new FieldEditor({ top: 1 });
    const busy = await longestBusy(() => {
      for (let index = 0; index < 30_000; index++) editor.set(['a', 'b', `f${index}`], index).set([`g${index}`], index);
      for (let index = 0; index < 30_000; index++) editor.remove(['a', 'b', `f${index}`]).remove([`g${index}`]);
    });
    expect(editor.json).toEqual({ top: 1, a: { b: {} } });
    expect(busy).toBeLessThan(2_000); // minutes if each edit copied
  });
});
