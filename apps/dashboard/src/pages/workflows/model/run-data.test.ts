import { expect, test } from '@jest/globals';
import type { RunData } from '../../../data/run-data.ts';
import type { Draft } from './graph.ts';
import { lastInput } from './run-data.ts';

const to = (node: string) => [{ node, type: 'main', index: 0 }];
const draft: Draft = {
  name: 'w',
  nodes: [],
  connections: { If: { main: [to('Yes'), to('No')] } },
  settings: {},
  pinData: {},
};
const run = (main: { json: object }[][]) => [{ data: { main } }];
const runData = { If: run([[], [{ json: { id: 1 } }]]) } as unknown as RunData;

test('a node’s input is the items of the output that is connected to it', () => {
  expect(lastInput(draft, runData, 'Yes')).toEqual([]);
  expect(lastInput(draft, runData, 'No')).toEqual([{ label: 'If, output 1', items: [{ json: { id: 1 } }] }]);
});

test('pinned items replace the last run', () => {
  const pinned = { ...draft, pinData: { If: [{ json: { id: 2 } }, { id: 3 }] } };
  expect(lastInput(pinned, runData, 'Yes')).toEqual([{ label: 'If', items: [{ json: { id: 2 } }, { json: { id: 3 } }] }]);
});
