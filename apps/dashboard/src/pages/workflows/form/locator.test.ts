import { describe, expect, test } from '@jest/globals';
import type { NodeProperty } from '@sluice/node-sdk/display';
import { isLocator, modesOf, toLocator } from './locator.ts';

const plain: NodeProperty = { displayName: 'Name', name: 'name', type: 'string', default: '' };
const listed: NodeProperty = { ...plain, typeOptions: { searchListMethod: 'getModels' } };
const foreign = {
  ...plain,
  type: 'resourceLocator',
  modes: [
    { name: 'list', displayName: 'From a list', typeOptions: { searchListMethod: 'search' } },
    { name: 'code', displayName: 'By code' },
  ],
} as unknown as NodeProperty;

describe('a resource locator', () => {
  test('is a property with a list, of the locator type, or with a locator value', () => {
    expect([plain, listed, foreign].map((property) => isLocator(property, ''))).toEqual([false, true, true]);
    expect(isLocator(plain, { __rl: true, mode: 'id', value: 'x' })).toBe(true);
    expect(isLocator(plain, { mode: 'id' })).toBe(false);
  });

  test('has the modes of its description, or the usual modes, with the list if there is one', () => {
    expect(modesOf(foreign).map(({ value }) => value)).toEqual(['list', 'code']);
    expect(modesOf(listed).map(({ value }) => value)).toEqual(['list', 'id', 'url', 'name']);
    expect(modesOf(plain).map(({ value }) => value)).toEqual(['id', 'url', 'name']);
  });

  test('keeps a plain string as an ID and starts with the list', () => {
    expect(toLocator(listed, 'gpt-9')).toEqual({ mode: 'id', value: 'gpt-9' });
    expect(toLocator(listed, '')).toEqual({ mode: 'list', value: '' });
    expect(toLocator(foreign, undefined)).toEqual({ mode: 'list', value: '' });
    expect(toLocator(listed, { __rl: true, mode: 'list', value: 'a', cachedResultName: 'A' })).toEqual({
      mode: 'list',
      value: 'a',
      cachedResultName: 'A',
    });
  });
});
