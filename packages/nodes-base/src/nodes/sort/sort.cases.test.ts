import { expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { expectedOf, inVersions, type NodeCase, runCase } from '../../testing/node-cases.ts';
import { sort } from './sort.ts';

const by = (order: string): JsonObject => ({ sortFieldsUi: { sortField: [{ fieldName: 'v', order }] } });
const mixed: JsonObject[] = [{ v: 2, id: 0 }, { v: 1, id: 1 }, { v: null, id: 2 }, { id: 3 }];
const objects: JsonObject[] = [{ v: { b: 1 } }, { v: { a: 1 } }, {}];

const cases: NodeCase[] = [
  {
    name: 'null counts as 0, and a missing value comes last',
    parameters: by('ascending'),
    inputs: [mixed],
    pairs: ['0:2', '0:1', '0:0', '0:3'],
  },
  {
    name: 'descending, a missing value comes first',
    parameters: by('descending'),
    inputs: [mixed],
    pairs: ['0:3', '0:0', '0:1', '0:2'],
  },
  { name: 'objects keep their order', parameters: by('ascending'), inputs: [objects], pairs: ['0:0', '0:1', '0:2'] },
  {
    name: 'descending, objects change their order',
    parameters: by('descending'),
    inputs: [objects],
    pairs: ['0:2', '0:1', '0:0'],
  },
  {
    name: 'strings that differ in case alone keep their order',
    parameters: by('descending'),
    inputs: [[{ v: 'A' }, { v: 'a' }, { v: 'b' }]],
    pairs: ['0:2', '0:0', '0:1'],
  },
  {
    name: 'lists compare as numbers',
    parameters: by('ascending'),
    inputs: [[{ v: [2] }, { v: '10' }, { v: [1] }, { v: 3 }]],
    pairs: ['0:2', '0:0', '0:3', '0:1'],
  },
  {
    name: 'lists that are not numbers keep their order',
    parameters: by('ascending'),
    inputs: [[{ v: ['b'] }, { v: ['a'] }, { v: [1, 2] }]],
    pairs: ['0:0', '0:1', '0:2'],
  },
];

test.each(inVersions(sort, cases))('sort %s', async (_, nodeCase, version) => {
  expect(await runCase(sort, nodeCase, version)).toEqual(expectedOf(nodeCase));
});
