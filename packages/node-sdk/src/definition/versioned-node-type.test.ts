import { expect, test } from '@jest/globals';
import { hasFeature } from '../description.ts';
import type { NodeType } from '../node-type.ts';
import { validateNodeType } from '../validation/validate-node-type.ts';
import { defineVersionedNodeType, nodeTypeOfVersion } from './versioned-node-type.ts';

const typeOf = (version: number | number[], displayName: string): NodeType => ({
  description: {
    displayName,
    name: 'shout',
    group: ['transform'],
    version,
    description: '',
    defaults: { name: 'Shout' },
    inputs: ['main'],
    outputs: ['main'],
    properties: [],
  },
  execute: () => [],
});
const old = typeOf([1, 1.1], 'Old');
const versions = { 1: old, 1.1: old, 2: typeOf(2, 'New') };

test('a type with several implementations has the description of its default version and all version numbers', () => {
  const { description } = defineVersionedNodeType({ versions });
  expect(description).toMatchObject({ displayName: 'New', version: [1, 2, 1.1], defaultVersion: 2 });
  expect(defineVersionedNodeType({ versions, defaultVersion: 1 }).description.displayName).toBe('Old');
  expect(validateNodeType(defineVersionedNodeType({ versions }))).toEqual([]);
});

test('each version has its own implementation and the shared description', () => {
  const type = defineVersionedNodeType({ base: { icon: 'fa:globe' }, versions });
  expect([1, 1.1, 2].map((version) => nodeTypeOfVersion(type, version).description.displayName)).toEqual(['Old', 'Old', 'New']);
  expect(nodeTypeOfVersion(type, 1).description.icon).toBe('fa:globe');
  expect(nodeTypeOfVersion(type, 3)).toBe(type);
  expect(nodeTypeOfVersion(old, 1)).toBe(old);
});

test('the default version must have an implementation', () => {
  expect(() => defineVersionedNodeType({ versions, defaultVersion: 3 })).toThrow('no implementation for the default version 3');
});

test('features apply to the versions that they list', () => {
  const description = { features: { always: true, never: false, late: { '@version': [2] } } };
  const featuresOf = (version: number) =>
    ['always', 'never', 'late', 'toString'].filter((name) => hasFeature(description, name, version));
  expect([featuresOf(1), featuresOf(2), hasFeature({}, 'always', 1)]).toEqual([['always'], ['always', 'late'], false]);
});
