import { expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { expectedOf, inVersions, type NodeCase, runCase } from '../../testing/node-cases.ts';
import { merge } from './merge.ts';

const second = [2, 2.1];
const third = [3, 3.1, 3.2];

/** Parameters of versions 2 and 3 combined: each version reads its own. */
const byFields = (more: JsonObject = {}): JsonObject => ({
  mode: 'combine',
  fieldsToMatchString: 'id',
  mergeByFields: { values: [{ field1: 'id', field2: 'id' }] },
  ...more,
});
const clash = (values: JsonObject): JsonObject => ({ options: { clashHandling: { values } } });
const byPosition: JsonObject = { mode: 'combine', combineBy: 'combineByPosition', combinationMode: 'mergeByPosition' };

const people: JsonObject[] = [
  { id: 1, a: 'x', s: 1 },
  { id: 2, a: 'y' },
  { id: 3, a: 'z' },
];
const orders: JsonObject[] = [
  { id: 3, b: 1, s: 2 },
  { id: 1, b: 2, s: 3 },
  { id: 9, b: 3 },
];

const cases: NodeCase[] = [
  {
    name: 'keeping everything gives matches first, then the rest of input 1 and of input 2',
    versions: [...second, ...third],
    parameters: byFields({ joinMode: 'keepEverything' }),
    inputs: [people, orders],
    outputs: [
      [
        { id: 1, a: 'x', s: 3, b: 2 },
        { id: 3, a: 'z', s: 2, b: 1 },
        { id: 2, a: 'y' },
        { id: 9, b: 3 },
      ],
    ],
    pairs: ['0:0,1:1', '0:2,1:0', '0:1', '1:2'],
  },
  {
    name: 'suffixes also go to items without a match',
    versions: [...second, ...third],
    parameters: byFields({ joinMode: 'keepEverything', ...clash({ resolveClash: 'addSuffix' }) }),
    inputs: [
      [{ id: 1 }, { id: 2 }],
      [{ id: 1 }, { id: 3 }],
    ],
    outputs: [[{ id_1: 1, id_2: 1 }, { id_1: 2 }, { id_2: 3 }]],
  },
  {
    name: 'an item that is not the first match has no match',
    versions: [...second, ...third],
    parameters: byFields({ joinMode: 'keepEverything', options: { multipleMatches: 'first' } }),
    inputs: [
      [{ id: 1 }],
      [
        { id: 1, b: 1 },
        { id: 1, b: 2 },
      ],
    ],
    outputs: [
      [
        { id: 1, b: 1 },
        { id: 1, b: 2 },
      ],
    ],
  },
  {
    name: 'enriching input 2 prefers input 1 and keeps its order',
    versions: [...second, ...third],
    parameters: byFields({ joinMode: 'enrichInput2' }),
    inputs: [people, orders],
    outputs: [
      [
        { id: 1, a: 'x', s: 1, b: 2 },
        { id: 3, a: 'z', s: 2, b: 1 },
        { id: 9, b: 3 },
      ],
    ],
  },
  {
    name: 'enriching input 2 can prefer it',
    versions: third,
    parameters: byFields({ joinMode: 'enrichInput2', ...clash({ resolveClash: 'preferLast' }) }),
    inputs: [people, orders],
    outputs: [
      [
        { id: 1, a: 'x', s: 3, b: 2 },
        { id: 3, a: 'z', s: 2, b: 1 },
        { id: 9, b: 3 },
      ],
    ],
  },
  {
    name: 'non-matches name their source unless an input is empty',
    versions: [2.1, ...third],
    parameters: byFields({ joinMode: 'keepNonMatches' }),
    inputs: [[{ id: 1 }], []],
    outputs: [[{ id: 1 }]],
  },
  {
    name: 'a field to match that no item has is an error',
    versions: [2],
    parameters: byFields(),
    inputs: [[{ id: 1 }], [{ ID: 1 }]],
    error: 'no item of input 2 has the field "id"',
  },
  {
    name: 'a field to match that no item has matches nothing',
    versions: [2.1, ...third],
    parameters: byFields({ joinMode: 'enrichInput1' }),
    inputs: [[{ id: 1 }], [{ ID: 1 }]],
    outputs: [[{ id: 1 }]],
  },
  {
    name: 'loosely, a missing field of input 2 equals null; one of input 1 matches nothing',
    versions: [2.1, ...third],
    parameters: byFields({ options: { fuzzyCompare: true } }),
    inputs: [[{ id: null, a: 1 }, { x: 1 }], [{ b: 1 }]],
    outputs: [[{ id: null, a: 1, b: 1 }]],
  },
  {
    name: 'of several inputs by position, each field comes from the last that has it',
    versions: third,
    parameters: { ...byPosition, numberInputs: 3 },
    inputs: [[{ a: 1, k: 1 }], [{ b: 1, k: 2 }], [{ c: 1, k: 3 }]],
    outputs: [[{ a: 1, k: 3, b: 1, c: 1 }]],
    pairs: ['0:0,1:0,2:0'],
  },
  {
    name: 'by position with suffixes, the last input also keeps its names',
    versions: third,
    parameters: { ...byPosition, ...clash({ resolveClash: 'addSuffix' }) },
    inputs: [[{ a: 1 }], [{ a: 2 }]],
    outputs: [[{ a_1: 1, a_2: 2, a: 2 }]],
  },
  {
    name: 'by position with suffixes, each field has one',
    versions: second,
    parameters: { ...byPosition, ...clash({ resolveClash: 'addSuffix' }) },
    inputs: [[{ a: 1 }], [{ a: 2 }]],
    outputs: [[{ a_1: 1, a_2: 2 }]],
  },
  {
    name: 'by position, an empty input leaves the items of the other',
    versions: second,
    parameters: byPosition,
    inputs: [[{ a: 1 }], []],
    outputs: [[{ a: 1 }]],
  },
  {
    name: 'by position, an empty input leaves nothing',
    versions: third,
    parameters: byPosition,
    inputs: [[{ a: 1 }], []],
    outputs: [],
  },
  {
    name: 'all combinations go through a preferred input 1 first',
    versions: [...second, ...third],
    parameters: {
      mode: 'combine',
      combineBy: 'combineAll',
      combinationMode: 'multiplex',
      ...clash({ resolveClash: 'preferInput1' }),
    },
    inputs: [
      [{ a: 1 }, { a: 2 }],
      [{ b: 1 }, { b: 2 }],
    ],
    outputs: [
      [
        { a: 1, b: 1 },
        { a: 2, b: 1 },
        { a: 1, b: 2 },
        { a: 2, b: 2 },
      ],
    ],
  },
  {
    name: 'the empty item of a chosen branch is paired with all items',
    versions: [...second, ...third],
    parameters: { mode: 'chooseBranch', output: 'empty' },
    inputs: [[{ a: 1 }, { a: 2 }], [{ b: 1 }]],
    outputs: [[{}]],
    pairs: ['0:0,0:1,1:0'],
  },
  {
    name: 'choosing a branch gives nothing if one ended empty',
    versions: [...second, ...third],
    parameters: { mode: 'chooseBranch', output: 'empty' },
    inputs: [[{ a: 1 }], []],
    outputs: [],
  },
  {
    name: 'merging by key takes the last match and keeps the key, and leaves out items without it',
    versions: [1],
    parameters: { mode: 'mergeByKey', propertyName1: 'id', propertyName2: 'id' },
    inputs: [
      [{ id: 1, v: 1 }, { x: 1 }, { id: null }],
      [
        { id: '1', v: 2 },
        { id: '1', v: 3 },
        { id: null, v: 4 },
      ],
    ],
    outputs: [[{ id: 1, v: 3 }, { id: null }]],
    pairs: ['0:0', '0:2'],
  },
];

test.each(inVersions(merge, cases))('merge %s', async (_, nodeCase, version) => {
  expect(await runCase(merge, nodeCase, version)).toEqual(expectedOf(nodeCase));
});
