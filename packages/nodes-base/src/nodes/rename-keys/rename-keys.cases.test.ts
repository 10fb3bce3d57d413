import { expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { expectedOf, inVersions, type NodeCase, runCase } from '../../testing/node-cases.ts';
import { renameKeys } from './rename-keys.ts';

const keys = (...pairs: [string, string][]): JsonObject => ({
  keys: { key: pairs.map(([currentKey, newKey]) => ({ currentKey, newKey })) },
});
const regex = (...replacements: JsonObject[]): JsonObject => ({ additionalOptions: { regexReplacement: { replacements } } });

const cases: NodeCase[] = [
  {
    name: 'renames read the original item',
    parameters: keys(['s', 'id'], ['id', 't']),
    inputs: [[{ id: 3, s: 'b' }]],
    outputs: [[{ t: 3 }]],
  },
  {
    name: 'an element that moves leaves null',
    parameters: keys(['l[0]', 'first']),
    inputs: [[{ l: [1, 2] }]],
    outputs: [[{ l: [null, 2], first: 1 }]],
  },
  {
    name: 'an expression replaces its first match',
    parameters: regex({ searchRegex: '[a-z]', replaceRegex: '_' }),
    inputs: [[{ id: 1 }]],
    outputs: [[{ _d: 1 }]],
  },
  {
    name: 'a renamed field replaces one that has its name',
    parameters: regex({ searchRegex: 'a', replaceRegex: 'b' }),
    inputs: [[{ a: 1, b: 2 }]],
    outputs: [[{ b: 1 }]],
  },
  {
    name: 'lists count as levels',
    parameters: regex({ searchRegex: 'x', replaceRegex: 'y', options: { depth: 1 } }),
    inputs: [[{ l: [{ x: 1 }], o: { x: 1 } }]],
    outputs: [[{ l: [{ x: 1 }], o: { y: 1 } }]],
  },
];

test.each(inVersions(renameKeys, cases))('rename keys %s', async (_, nodeCase, version) => {
  expect(await runCase(renameKeys, nodeCase, version)).toEqual(expectedOf(nodeCase));
});
