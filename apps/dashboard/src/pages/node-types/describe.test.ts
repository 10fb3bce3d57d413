import { describe, expect, test } from '@jest/globals';
import { exampleOf, nodeSkeleton, parametersOf } from './describe.ts';

const mode = {
  name: 'mode',
  displayName: 'Mode',
  type: 'options',
  default: 'append',
  options: [
    { name: 'Append', value: 'append' },
    { name: 'Combine', value: 'combine' },
  ],
};
const limit = {
  name: 'limit',
  displayName: 'Limit',
  type: 'number',
  default: '',
  displayOptions: { show: { '@version': [2], mode: ['append', ''] }, hide: { all: [true] } },
};

describe('parameters', () => {
  test('have choices, initial values, and conditions in words', () => {
    expect(parametersOf([mode, limit], 2)).toEqual([
      {
        name: 'mode',
        label: 'Mode',
        type: 'options',
        required: false,
        initial: '"append"',
        choices: ['append', 'combine'],
        conditions: [],
        parts: [],
      },
      {
        name: 'limit',
        label: 'Limit',
        type: 'number',
        required: false,
        choices: [],
        conditions: ['mode is append or ""', 'all is not true'],
        parts: [],
      },
    ]);
  });

  test('are the parameters of the version', () => {
    expect(parametersOf([mode, limit], 1).map(({ name }) => name)).toEqual(['mode']);
    const hidden = { ...mode, displayOptions: { hide: { '@version': [1] } } };
    expect(parametersOf([hidden], 1)).toEqual([]);
    const ofOthers = { ...mode, displayOptions: { show: { '@version': [{ _cnd: { gte: 3 } }] } } };
    expect(parametersOf([ofOthers], 1)).toHaveLength(1);
  });

  test('of collections and fixed collections are nested', () => {
    const options = { name: 'options', displayName: 'Options', type: 'collection', default: {}, options: [mode, limit] };
    const values = {
      name: 'values',
      displayName: 'Values',
      type: 'fixedCollection',
      default: {},
      options: [{ name: 'string', displayName: 'String', values: [limit] }],
    };
    const [collection, fixed] = parametersOf([options, values], 1);
    expect(collection?.parts.map(({ name }) => name)).toEqual(['mode']);
    expect(fixed?.parts).toMatchObject([{ name: 'string', type: 'group', parts: [] }]);
  });
});

test('a skeleton has the initial values that always apply', () => {
  const node = JSON.parse(nodeSkeleton('base.merge', 'Merge', { properties: [mode, limit], version: 2 }));
  expect(node).toMatchObject({ type: 'base.merge', typeVersion: 2, parameters: { mode: 'append' } });
});

test('a built-in type has a tested example, for the version that it shows', () => {
  const example = exampleOf('base.http-request', 4.5, 4.5);
  expect(example).toMatchObject({ shows: expect.any(String), parameters: { url: expect.stringContaining('https://') } });
  expect(JSON.parse(nodeSkeleton('base.http-request', 'Fetch', { properties: [], version: 4.5, example })).parameters).toEqual(
    example?.parameters,
  );
  expect(exampleOf('base.http-request', 1, 4.5)).toBeUndefined();
  expect(exampleOf('acme.rocket', 1, 1)).toBeUndefined();
});
