import { expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/domain';
import type { NodeProperty } from '../description.ts';
import { checkParameters } from './check-parameters.ts';

const property = (name: string, show?: Record<string, JsonValue[]>, more: Partial<NodeProperty> = {}): NodeProperty => ({
  displayName: name,
  name,
  type: 'string',
  default: '',
  ...(show && { displayOptions: { show } }),
  ...more,
});
const toggle = { type: 'boolean', default: false } as const;

/** Parameters like those of an HTTP client's body. */
const properties: NodeProperty[] = [
  property('method', undefined, { default: 'GET' }),
  property('send', undefined, toggle),
  property('format', { send: [true] }, { default: 'json' }),
  property('source', { send: [true], format: ['json'] }, { default: 'fields' }),
  property('text', { send: [true], format: ['json'], source: ['text'] }),
  property('fields', { send: [true], format: ['json'], source: ['fields'] }, { type: 'fixedCollection', default: {} }),
  property('body', { send: [true], format: ['raw'] }),
  property('body', { send: [true], format: ['file'], source: ['disk'] }),
  property('level', { send: [true] }, { type: 'number', default: 3 }),
  property('cache', undefined, { ...toggle, displayOptions: { hide: { method: ['POST', 'PUT'] } } }),
  property('retries', { level: [{ _cnd: { gte: 5 } }] }, { type: 'number', default: 0 }),
  property('header', { method: ['A', 'B', 'C', 'D', 'E', 'F'] }),
  property('old', { '@version': [1] }),
  property('pages', undefined, {
    type: 'fixedCollection',
    default: {},
    typeOptions: { multipleValues: true },
    options: [
      {
        name: 'page',
        displayName: 'Page',
        values: [
          property('rename', undefined, toggle),
          property('title', { rename: [true] }),
          property('verb', { '/method': ['POST'] }),
        ],
      },
    ],
  }),
];

const unused = (parameters: JsonObject, onSave = true) =>
  checkParameters({ description: { properties } }, parameters, 2, { onSave })
    .filter(({ kind }) => kind === 'unused')
    .map(({ message }) => message);

test.each<[JsonObject, string]>([
  [{ text: '{}' }, 'the parameter "text" is used only if "send" is true and "source" is "text"'],
  [{ text: '={{ $json }}' }, 'the parameter "text" is used only if "send" is true and "source" is "text"'],
  [{ send: true, text: '{}' }, 'the parameter "text" is used only if "source" is "text"'],
  [{ fields: { a: 1 } }, 'the parameter "fields" is used only if "send" is true'],
  [{ body: 'a' }, 'the parameter "body" is used only if "send" is true and "format" is "raw"'],
  [{ send: true, retries: 2 }, 'the parameter "retries" is used only if "level" is at least 5'],
  [{ header: 'a' }, 'the parameter "header" is used only if "method" is "A" or "B" or "C" or "D" or "E" or …'],
  [{ pages: { page: [{ title: 'a' }] } }, 'the parameter "pages.page.0.title" is used only if "rename" is true'],
  [{ pages: { page: [{ verb: 'a' }] } }, 'the parameter "pages.page.0.verb" is used only if "method" is "POST"'],
])('the hint for %j names the forgotten conditions, on save and in a run', (parameters, message) => {
  expect(unused(parameters)).toEqual([message]);
  expect(unused(parameters, false)).toEqual([message]);
});

test('a chain of hidden parameters requires only the values that show its first parameter', () => {
  expect(unused({ source: 'text', text: '{}' })).toEqual([
    'the parameter "source" is used only if "send" is true',
    'the parameter "text" is used only if "send" is true',
  ]);
});

test.each<[JsonObject, string]>([
  [{ send: false, text: '{}' }, 'the parameter "text" is used only if "send" is true and "source" is "text"'],
  [{ send: true, format: 'raw', text: '{}' }, 'the parameter "text" is used only if "format" is "json" and "source" is "text"'],
  [{ method: 'PUT', cache: true }, 'the parameter "cache" is used only if "method" is neither "POST" nor "PUT"'],
  [{ pages: { page: [{ rename: false, title: 'a' }] } }, 'the parameter "pages.page.0.title" is used only if "rename" is true'],
])('%j may be left over from another choice, so only a save warns', (parameters, message) => {
  expect(unused(parameters)).toEqual([message]);
  expect(unused(parameters, false)).toEqual([]);
});

test.each<JsonObject>([
  { send: true, source: 'text', text: '{}' },
  { send: true, format: 'raw', body: 'a' },
  { send: '={{ $json.send }}', source: 'text', text: '{}' },
  { send: { __rl: true, value: '={{ $json.send }}' }, level: 5 },
  { level: 3, text: '', fields: {}, body: null },
  { old: 'a' },
])('%j is used, may be used, or has no value', (parameters) => {
  expect(unused(parameters)).toEqual([]);
});
