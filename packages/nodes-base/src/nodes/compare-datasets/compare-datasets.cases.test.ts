import { expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { expectedOf, inVersions, type NodeCase, runCase } from '../../testing/node-cases.ts';
import { compareDatasets } from './compare-datasets.ts';

const byId: JsonObject = { mergeByFields: { values: [{ field1: 'id', field2: 'id' }] } };
const both = { ...byId, resolve: 'includeBoth' };
const loose: JsonObject = { fuzzyCompare: true, options: { fuzzyCompare: true } };

const cases: NodeCase[] = [
  {
    name: 'the same fields include the one that was matched by',
    versions: [2, 2.1, 2.2, 2.3],
    parameters: both,
    inputs: [[{ id: 1, same: 0, v: 0 }], [{ id: 1, same: 0, w: '' }]],
    outputs: [[], [], [{ keys: { id: 1 }, same: { id: 1, same: 0 }, different: { v: side(0, null), w: side(null, '') } }]],
  },
  {
    name: 'both versions are input1 and input2, and what is falsy is null',
    versions: [1],
    parameters: both,
    inputs: [[{ id: 1, v: 0 }], [{ id: 1, v: 2 }]],
    outputs: [[], [], [{ keys: { id: 1 }, same: { id: 1 }, different: { v: { input1: null, input2: 2 } } }]],
  },
  {
    name: 'only skipped fields that differ are shown as skipped',
    versions: [2, 2.3],
    parameters: { ...both, options: { skipFields: 'at, by' } },
    inputs: [[{ id: 1, at: 1, by: 1, v: 1 }], [{ id: 1, at: 2, by: 1, v: 2 }]],
    outputs: [[], [], [{ keys: { id: 1 }, same: { id: 1, by: 1 }, different: { v: side(1, 2) }, skipped: { at: side(1, 2) } }]],
  },
  {
    name: 'a field within an object can be skipped',
    parameters: { ...byId, options: { skipFields: 'o.x' } },
    inputs: [[{ id: 1, o: { x: 1, y: 1 } }], [{ id: 1, o: { x: 2, y: 1 } }]],
    outputs: [[], [{ id: 1, o: { x: 1, y: 1 } }]],
  },
  {
    name: 'a name with a dot is a field of that name first',
    parameters: { mergeByFields: { values: [{ field1: 'a.b', field2: 'a.b' }] }, resolve: 'preferInput1' },
    inputs: [
      [{ 'a.b': 1 }, { a: { b: 2 } }],
      [{ 'a.b': 2 }, { a: { b: 1 } }],
    ],
    outputs: [[], [], [{ 'a.b': 1 }, { a: { b: 2 } }]],
  },
  {
    name: 'keys within objects are shown',
    versions: [2.3],
    parameters: { ...both, mergeByFields: { values: [{ field1: 'a.b', field2: 'a.b' }] } },
    inputs: [[{ a: { b: 1 }, v: 1 }], [{ a: { b: 1 }, v: 2 }]],
    outputs: [[], [], [{ keys: { a: { b: 1 } }, same: { a: { b: 1 } }, different: { v: side(1, 2) } }]],
  },
  {
    name: 'fields matched under different names are compared like others',
    parameters: { mergeByFields: { values: [{ field1: 'id', field2: 'ref' }] }, resolve: 'preferInput2' },
    inputs: [[{ id: 1 }], [{ ref: 1 }]],
    outputs: [[], [], [{ ref: 1 }]],
  },
  {
    name: 'empty items take no part',
    parameters: { ...byId, resolve: 'preferInput1' },
    inputs: [
      [{}, { id: 1 }],
      [{ id: 1 }, {}],
    ],
    outputs: [[], [{ id: 1 }]],
  },
  {
    name: 'a field that no item has is an error',
    versions: [1, 2, 2.1],
    parameters: byId,
    inputs: [[{ id: 1 }], [{ Id: 1 }]],
    error: 'no item of input B has the field "id"',
  },
  {
    name: 'a field that no item has matches nothing',
    versions: [2.2, 2.3],
    parameters: byId,
    inputs: [[{ id: 1 }], [{ Id: 1 }]],
    outputs: [[{ id: 1 }], [], [], [{ Id: 1 }]],
  },
  {
    name: 'an item that equals several is given once',
    parameters: { ...byId, resolve: 'preferInput1', options: { multipleMatches: 'all' } },
    inputs: [
      [{ id: 1, v: 1 }],
      [
        { id: 1, v: 1 },
        { id: 1, v: 1 },
        { id: 1, v: 2 },
      ],
    ],
    outputs: [[], [{ id: 1, v: 1 }], [{ id: 1, v: 1 }]],
  },
  {
    name: 'loosely, numbers equal their text, booleans 1 and 0, null nothing and empty text',
    parameters: { ...byId, resolve: 'preferInput1', ...loose },
    inputs: [
      [
        { id: 1, a: true, b: null, c: '' },
        { id: false, a: 2 },
      ],
      [
        { id: '1', a: 1, b: '', c: [] },
        { id: 'false', a: '2', c: null },
      ],
    ],
    outputs: [
      [],
      [
        { id: 1, a: true, b: null, c: '' },
        { id: false, a: 2 },
      ],
    ],
  },
  {
    name: 'loosely, null equals 0',
    versions: [2, 2.1, 2.2, 2.3],
    parameters: { ...byId, resolve: 'preferInput1', ...loose },
    inputs: [[{ id: 1, v: null }], [{ id: 1, v: 0 }]],
    outputs: [[], [{ id: 1, v: null }]],
  },
  {
    name: 'loosely, null does not equal 0',
    versions: [1],
    parameters: { ...byId, resolve: 'preferInput1', ...loose },
    inputs: [[{ id: 1, v: null }], [{ id: 1, v: 0 }]],
    outputs: [[], [], [{ id: 1, v: null }]],
  },
  {
    name: 'loosely, a value that only input B has is a difference',
    parameters: { ...byId, resolve: 'preferInput1', ...loose },
    inputs: [[{ id: 1 }], [{ id: 1, v: 'new' }]],
    outputs: [[], [], [{ id: 1 }]],
  },
  {
    name: 'loosely, what is the same is the version of input B where that is preferred',
    parameters: { ...byId, resolve: 'preferInput2', ...loose },
    inputs: [[{ id: 1 }], [{ id: '1' }]],
    outputs: [[], [{ id: '1' }]],
  },
  {
    name: 'a mix without dot notation leaves out what the other lacks',
    parameters: { ...byId, resolve: 'mix', exceptWhenMix: 'v,a.b', options: { disableDotNotation: true } },
    inputs: [[{ id: 1, v: 1, 'a.b': 1 }], [{ id: 1, 'a.b': 2 }]],
    outputs: [[], [], [{ id: 1, 'a.b': 2 }]],
  },
  {
    name: 'a mix reads from within the other',
    parameters: { ...byId, resolve: 'mix', preferWhenMix: 'input2', exceptWhenMix: 'v,a.b' },
    inputs: [[{ id: 1, a: { b: 1 } }], [{ id: 1, v: 1 }]],
    outputs: [[], [], [{ id: 1, v: null, 'a.b': 1 }]],
  },
];

function side(inputA: unknown, inputB: unknown) {
  return { inputA, inputB };
}

test.each(inVersions(compareDatasets, cases))('compare datasets %s', async (_, nodeCase, version) => {
  expect(await runCase(compareDatasets, nodeCase, version)).toEqual(expectedOf(nodeCase));
});
