import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import type { CommunityProperty } from '../community-types.ts';
import { NodeParameters } from './node-parameters.ts';

const property = (name: string, more: Partial<CommunityProperty> = {}): CommunityProperty => ({
  displayName: name,
  name,
  type: 'string',
  default: '',
  ...more,
});
const of = (parameters: JsonObject, properties: CommunityProperty[], version = 1) =>
  new NodeParameters((name) => parameters[name], properties, version);
const written = (raw: JsonObject, parameters: JsonObject, properties: CommunityProperty[]) =>
  new NodeParameters((name) => parameters[name], properties, 1, raw);

describe('a parameter that the workflow omits', () => {
  const properties = [
    property('resource', { default: 'user' }),
    property('operation', { type: 'notice' }),
    property('operation', { default: 'get', displayOptions: { show: { resource: ['user'] } } }),
    property('operation', { default: 'list', displayOptions: { show: { resource: ['group'] } } }),
    property('more', { type: 'collection', default: {}, options: [property('limit', { default: '50' })] }),
  ];

  test('has the default of the visible property', () => {
    expect(of({}, properties).get('operation', undefined)).toBe('get');
    expect(of({ resource: 'group' }, properties).get('operation', undefined)).toBe('list');
  });

  test('has the fallback if no property is visible, or within a collection', () => {
    expect(of({ resource: 'x' }, properties).get('operation', 'f')).toBe('f');
    expect(of({}, properties).get('more.limit', '9')).toBe('9');
    expect(of({}, properties).get('more', undefined)).toEqual({});
  });

  test('is an error without a fallback', () => {
    expect(() => of({}, properties).get('none', undefined)).toThrow('Could not get parameter "none"');
  });

  test('is filled in within entries of a fixed collection if visible there', () => {
    const values = [
      property('kind', { default: 'a' }),
      property('a', { default: 'A', displayOptions: { show: { kind: ['a'] } } }),
      property('b', { default: 'B', displayOptions: { show: { kind: ['b'] } } }),
    ];
    const rows = property('rows', { type: 'fixedCollection', default: {}, options: [{ ...property('row'), values }] });
    const parameters = of({ rows: { row: [{}, { kind: 'b' }] } }, [rows]);
    expect(parameters.get('rows.row', [])).toEqual([
      { kind: 'a', a: 'A' },
      { kind: 'b', b: 'B' },
    ]);
    expect(parameters.get('rows.row[1].b', undefined)).toBe('B');
  });

  test('can depend on itself without an endless loop', () => {
    const loop = [property('x', { default: 'y', displayOptions: { show: { x: ['z'] } } })];
    expect(of({}, loop).get('x', 'f')).toBe('f');
  });
});

describe('a value', () => {
  test('is a copy', () => {
    const original = { list: [{ a: 1 }] };
    (of(original, []).get('list', undefined) as { a: number }[]).push({ a: 2 });
    expect(original.list).toHaveLength(1);
  });

  test('contains unevaluated expressions on request, or else its default', () => {
    const parameters = written({ a: { b: '={{ $json.x }}' } }, { a: { b: 'resolved' } }, [property('c', { default: 'd' })]);
    expect(parameters.get('a.b', undefined, { rawExpressions: true })).toBe('={{ $json.x }}');
    expect(parameters.get('a.b', undefined)).toBe('resolved');
    expect(parameters.get('c', undefined, { rawExpressions: true })).toBe('d');
  });

  test('of a resource locator is extracted from a URL on request', () => {
    const id = property('id', {
      type: 'resourceLocator',
      modes: [{ name: 'id' }, { name: 'url', extractValue: { type: 'regex', regex: '/users/([0-9]+)' } }],
    });
    const locator = (mode: string, value: string) => of({ id: { __rl: true, mode, value } }, [id]);
    expect(locator('id', '7').get('id', undefined, { extractValue: true })).toBe('7');
    expect(locator('url', 'https://a/users/42').get('id', undefined, { extractValue: true })).toBe('42');
    expect(locator('id', '7').get('id', undefined)).toEqual({ __rl: true, mode: 'id', value: '7' });
    expect(() =>
      locator('url', `https://a/users/42?${'x'.repeat(2_000)}`).get('id', undefined, { extractValue: true }),
    ).toThrow('longer than 2000 characters');
    expect(() => locator('url', 'nothing').get('id', undefined, { extractValue: true })).toThrow('expected format');
  });

  test.each([
    ['7', 'number', 7],
    [7, 'string', '7'],
    ['true', 'boolean', true],
    ['[1]', 'array', [1]],
    ['{"a":1}', 'json', { a: 1 }],
  ] as const)('%p as %s', (value, ensureType, ensured) => {
    expect(of({ v: value as never }, []).get('v', undefined, { ensureType })).toEqual(ensured);
  });

  test('of a wrong type is an error', () => {
    expect(() => of({ v: 'x' }, []).get('v', undefined, { ensureType: 'number' })).toThrow('could not be converted to number');
  });
});
