import { describe, expect, test } from '@jest/globals';
import { checkCommunityNodeType } from './check-community-type.ts';

const field = { displayName: 'A', name: 'a', type: 'string', default: '' };
const issuesOf = (changes: object) =>
  checkCommunityNodeType({ description: { displayName: 'X', name: 'x', version: 1, properties: [], ...changes } });
const pathsOf = (changes: object) => issuesOf(changes).map(({ path }) => path);

test('the requests of a declarative type are checked wherever they appear', () => {
  const routing = { send: { type: 'cookie' } };
  const properties = [
    { ...field, routing },
    { ...field, type: 'options', options: [{ name: 'B', value: 'b', routing }] },
    { ...field, type: 'collection', options: [{ ...field, routing }] },
    { ...field, type: 'fixedCollection', options: [{ name: 'g', values: [{ ...field, routing }] }] },
  ];
  expect(pathsOf({ requestDefaults: { method: 7 }, requestOperations: { pagination: 1 }, properties })).toEqual([
    '/description/requestDefaults/method',
    '/description/requestOperations/pagination',
    '/description/properties/0/routing/send/type',
    '/description/properties/1/options/0/routing/send/type',
    '/description/properties/2/options/0/routing/send/type',
    '/description/properties/3/options/0/values/0/routing/send/type',
  ]);
});

test.each([[1], [[1, 2.1]], [1000], [[2025, 20251101]]])('a version can be any number above 0: %j', (version) => {
  expect(issuesOf({ version, requestDefaults: {} })).toEqual([]);
});

test.each([[0], [-1], ['1'], [[]], [Number.NaN], [Number.POSITIVE_INFINITY]])('%p is not a version', (version) => {
  expect(pathsOf({ version, requestDefaults: {} })).toEqual(['/description/version']);
});

test('other members of packages are ignored', () => {
  const request = {
    method: 'GET',
    url: '=/people/{{ $value }}',
    returnFullResponse: true,
    ignoreHttpStatusErrors: { ignore: true, except: [404] },
    body: '={{ $value }}',
  };
  const output = { postReceive: [{ type: 'rootProperty', properties: { property: 'a' }, errorMessage: 'no' }] };
  expect(issuesOf({ requestDefaults: request, properties: [{ ...field, routing: { request, output } }] })).toEqual([]);
});

const badRequests = () => {
  const routing = { send: { type: 'cookie' } };
  const properties = [
    { ...field, routing },
    { ...field, type: 'options', options: [{ name: 'B', value: 'b', routing }] },
    { ...field, type: 'fixedCollection', options: [{ name: 'g', values: [{ ...field, routing }] }] },
  ];
  return { requestDefaults: { method: 7 }, requestOperations: { pagination: 1 }, properties };
};

describe('routing', () => {
  const description = { displayName: 'X', name: 'x', version: 1, ...badRequests() };

  test.each(['execute', 'poll', 'trigger', 'webhook'])('is ignored next to %s, since it does not run there', (name) => {
    expect(checkCommunityNodeType({ description, [name]: () => [] })).toEqual([]);
    expect(checkCommunityNodeType({ nodeVersions: { 1: { description, [name]: () => [] } } })).toEqual([]);
  });

  test.each(['supplyData', 'methods'])('is checked next to %s', (name) => {
    expect(checkCommunityNodeType({ description, [name]: name === 'methods' ? {} : () => [] })).toHaveLength(5);
  });

  test('is checked per version', () => {
    const nodeVersions = { 1: { description, execute: () => [] }, 2: { description } };
    const paths = checkCommunityNodeType({ nodeVersions }).map(({ path }) => path);
    expect(paths).toHaveLength(5);
    expect(paths.every((path) => path.startsWith('/nodeVersions/2/description/'))).toBe(true);
  });

  test('that throws when read is reported, even next to a function', () => {
    const hostile = {
      ...field,
      get routing() {
        throw new Error('no');
      },
    };
    expect(checkCommunityNodeType({ description: { ...description, properties: [hostile] }, execute: () => [] })).toEqual([
      { path: '/description/properties/0/routing', message: 'throws when it is read: no' },
    ]);
  });

  test.each<[object]>([
    [{ requestDefaults: { headers: null, method: null, body: null } }],
    [{ requestDefaults: {}, requestOperations: { pagination: null } }],
    [{ properties: [{ ...field, routing: { request: null, send: null, output: null, operations: null } }] }],
    [{ properties: [{ ...field, routing: { output: { postReceive: null }, operations: { pagination: null } } }] }],
    [{ properties: [{ ...field, type: 'options', options: [{ name: 'B', value: 'b', routing: null }] }], requestDefaults: {} }],
  ])('may have null for absent members: %j', (changes) => {
    expect(issuesOf(changes)).toEqual([]);
  });
});

test('a parameter may not have the name of an inherited object member', () => {
  const group = { ...field, type: 'fixedCollection', options: [{ name: '__proto__', values: [] }] };
  expect(pathsOf({ requestDefaults: {}, properties: [{ ...field, name: '__proto__' }, group] })).toEqual([
    '/description/properties/0/name',
    '/description/properties/1/options/0/name',
  ]);
});

test('webhooks must be objects with strings', () => {
  const webhooks = [{ name: 'default', httpMethod: 'GET', path: '={{ $parameter.a }}' }, null, { path: 5 }];
  expect(pathsOf({ requestDefaults: {}, webhooks })).toEqual(['/description/webhooks/1', '/description/webhooks/2/path']);
});

test('a type that declares polling must have a poll', () => {
  const description = { displayName: 'X', name: 'x', version: 1, properties: [], polling: true };
  const run = () => [];
  expect(checkCommunityNodeType({ description, execute: run })).toEqual([
    { path: '/poll', message: 'is missing: the description sets `polling`' },
  ]);
  expect(checkCommunityNodeType({ description, execute: run, poll: run })).toEqual([]);
  expect(checkCommunityNodeType({ description, trigger: run })).toEqual([]);
});
