import { describe, expect, test } from '@jest/globals';
import type { Routing } from '../declarative/routing.ts';
import { issueText, validateNodeType } from './validate-node-type.ts';

const description = {
  displayName: 'Routed',
  name: 'routed',
  group: ['transform'],
  version: 1,
  inputs: ['main'],
  outputs: ['main'],
  requestDefaults: {},
};
const field = { displayName: 'A', name: 'a', type: 'string', default: '' };

const withRouting = (routing: unknown) =>
  issueText(validateNodeType({ description: { ...description, properties: [{ ...field, routing }] } }));
const withDefaults = (requestDefaults: unknown) =>
  issueText(validateNodeType({ description: { ...description, properties: [], requestDefaults } }));

describe('the routing of a declarative type', () => {
  test.each<[Routing]>([
    [{ request: { method: 'propfind', url: '/a', headers: { a: 1 }, timeout: 500, ignoreHttpStatusErrors: true } }],
    [{ request: { method: '={{ $value }}', body: '={{ $value }}' as never, timeout: '={{ 1 }}' as never } }],
    [
      {
        send: { type: 'query', property: '={{ $value }}', propertyInDotNotation: false, value: null, paginate: '={{ true }}' },
      },
    ],
    [{ send: { preSend: [(request) => request] } }],
    [{ output: { maxResults: '={{ $value }}', postReceive: [(items) => items] } }],
    [{ output: { maxResults: 0, postReceive: [{ type: 'limit', properties: { maxResults: '5' } }] } }],
    [{ output: { postReceive: [{ type: 'filter', enabled: '={{ true }}', properties: { pass: true } }] } }],
    [{ output: { postReceive: [{ type: 'set', properties: { value: null } }] } }],
    [{ output: { postReceive: [{ type: 'setKeyValue', properties: {} }] } }],
    [{ operations: { pagination: async (request, send) => send(request) } }],
    [{ operations: { pagination: { type: 'generic', properties: { continue: '={{ false }}', request: { url: '/' } } } } }],
    [{ operations: {}, later: 1 } as Routing],
  ])('may be %j', (routing) => {
    expect(withRouting(routing)).toBe('');
  });

  test.each<[unknown]>([
    [null],
    [{ request: null, send: null, output: null, operations: null }],
    [{ request: { method: null, baseURL: null, url: null, headers: null, qs: null, body: null, timeout: null } }],
    [{ send: { type: null, property: null, propertyInDotNotation: null, paginate: null, preSend: null } }],
    [{ output: { maxResults: null, postReceive: null }, operations: { pagination: null } }],
  ])('may have null for absent members: %j', (routing) => {
    expect(withRouting(routing)).toBe('');
  });

  test.each<[unknown]>([
    [{ request: { body: [1, { a: 2 }] } }],
    [{ request: { body: 'a=1' } }],
    [{ request: { timeout: '5000' } }],
    [{ send: { property: '', preSend: [() => ({})] } }],
    [{ send: { paginate: 'true' } }],
    [{ output: { maxResults: '' } }],
    [{ operations: { pagination: { type: 'generic', properties: { continue: '={{ false }}' } } } }],
  ])('may be %j, as in community packages', (routing) => {
    expect(withRouting(routing)).toBe('');
  });

  test.each<[unknown, RegExp]>([
    ['x', /^\/description\/properties\/0\/routing must be an object$/],
    [{ request: 5 }, /\/routing\/request must be an object$/],
    [{ request: { method: 7 } }, /\/request\/method must be an HTTP method$/],
    [{ request: { method: 'FETCH IT' } }, /\/request\/method must be an HTTP method$/],
    [{ request: { url: 5 } }, /\/request\/url must be a string$/],
    [{ request: { baseURL: {} } }, /\/request\/baseURL must be a string$/],
    [{ request: { headers: 'x' } }, /\/request\/headers must be an object$/],
    [{ request: { qs: [] } }, /\/request\/qs must be an object$/],
    [{ request: { body: 5 } }, /\/request\/body must be an object$/],
    [{ request: { timeout: 'soon' } }, /\/request\/timeout must be a number of 0 or more/],
    [{ request: { timeout: -1 } }, /\/request\/timeout must be a number of 0 or more/],
    [{ request: { ignoreHttpStatusErrors: 'yes' } }, /\/ignoreHttpStatusErrors must be true, false or an expression$/],
    [{ send: { type: 'cookie' } }, /\/send\/type must be one of body, query$/],
    [{ send: { property: 5 } }, /\/send\/property must be a string/],
    [{ send: { propertyInDotNotation: 'no' } }, /\/send\/propertyInDotNotation must be true or false$/],
    [{ send: { paginate: 'yes' } }, /\/send\/paginate must be true, false or an expression$/],
    [{ send: { paginate: 1 } }, /\/send\/paginate must be true, false or an expression$/],
    [{ send: { preSend: 'x' } }, /\/send\/preSend must be an array$/],
    [{ send: { preSend: ['x'] } }, /\/send\/preSend\/0 must be a function$/],
    [{ output: { maxResults: {} } }, /\/output\/maxResults must be a number of 0 or more/],
    [{ output: { postReceive: {} } }, /\/output\/postReceive must be an array$/],
    [{ output: { postReceive: ['zzz'] } }, /\/postReceive\/0 must be an object$/],
    [{ output: { postReceive: [{ type: 'nope' }] } }, /\/postReceive\/0\/type must be one of rootProperty, filter, /],
    [{ output: { postReceive: [{ type: 'filter' }] } }, /\/postReceive\/0\/properties must be an object$/],
    [{ output: { postReceive: [{ type: 'filter', properties: { pass: 'all' } }] } }, /\/properties\/pass must be true, /],
    [{ output: { postReceive: [{ type: 'rootProperty', properties: {} }] } }, /\/properties\/property must be a string/],
    [{ output: { postReceive: [{ type: 'limit', properties: { maxResults: -1 } }] } }, /\/properties\/maxResults must be/],
    [{ output: { postReceive: [{ type: 'set', properties: {} }] } }, /\/properties\/value is missing$/],
    [{ output: { postReceive: [{ type: 'sort', properties: { key: 1 } }] } }, /\/properties\/key must be a string/],
    [
      { output: { postReceive: [{ type: 'binaryData', properties: {} }] } },
      /\/properties\/destinationProperty must be a string/,
    ],
    [{ output: { postReceive: [{ type: 'set', enabled: 1, properties: { value: 1 } }] } }, /\/0\/enabled must be true, false/],
    [{ operations: { pagination: { type: 'nope' } } }, /\/operations\/pagination\/type must be one of offset, generic$/],
    [
      { operations: { pagination: { type: 'offset', properties: {} } } },
      /\/limitParameter .*\/offsetParameter .*\/pageSize .*\/properties\/type /,
    ],
    [
      { operations: { pagination: { type: 'generic', properties: { request: { url: 1 } } } } },
      /\/properties\/continue .*\/properties\/request\/url /,
    ],
  ])('that is %j is rejected, naming the field', (routing, message) => {
    expect(withRouting(routing)).toMatch(message);
  });

  test('is checked wherever it may appear', () => {
    const routing = { send: { type: 'cookie' } };
    const properties = [
      { ...field, type: 'options', options: [{ name: 'B', value: 'b', routing }] },
      { ...field, type: 'collection', options: [{ ...field, routing }] },
      { ...field, type: 'fixedCollection', options: [{ name: 'g', displayName: 'G', values: [{ ...field, routing }] }] },
      { ...field, type: 'options', typeOptions: { loadOptions: { routing } }, options: [] },
    ];
    const paths = validateNodeType({ description: { ...description, properties } }).map(({ path }) => path);
    expect(paths).toEqual([
      '/description/properties/0/options/0/routing/send/type',
      '/description/properties/1/options/0/routing/send/type',
      '/description/properties/2/options/0/values/0/routing/send/type',
      '/description/properties/3/typeOptions/loadOptions/routing/send/type',
    ]);
  });
});

test('the request defaults of a type are checked', () => {
  expect(withDefaults({ baseURL: '={{ $credentials.url }}', headers: { Accept: 'application/json' } })).toBe('');
  expect(withDefaults({ baseURL: 5, headers: 'x', method: 'FETCH IT' })).toBe(
    '/description/requestDefaults/method must be an HTTP method; /description/requestDefaults/baseURL must be a string; ' +
      '/description/requestDefaults/headers must be an object',
  );
});
