import { expect, test } from '@jest/globals';
import type { NodeType } from '@sluice/node-sdk';
import { testTypes } from '../testing/test-nodes.ts';
import { excessNodes } from './activation-limits.ts';

const [plain] = [...testTypes().values()] as [NodeType];
const limited: NodeType = { ...plain, description: { ...plain.description, maxNodes: 1 } };
const nodeTypes = {
  find: (type: string) =>
    new Map([
      ['base.limited', limited],
      ['alias.limited', limited],
      ['base.plain', plain],
    ]).get(type),
};
const node = (name: string, type: string, disabled = false) => ({
  name,
  type,
  disabled,
  position: [0, 0] as [number, number],
  parameters: {},
});

test('each node above the limit of its type is reported, even under an alias of the type', () => {
  const nodes = [node('A', 'base.limited'), node('B', 'alias.limited'), node('C', 'base.plain'), node('D', 'base.limited')];
  expect(excessNodes({ nodes }, nodeTypes)).toEqual([
    { path: '/nodes/1/type', message: 'node "B": a workflow has at most 1 of the type alias.limited' },
    { path: '/nodes/3/type', message: 'node "D": a workflow has at most 1 of the type base.limited' },
  ]);
});

test('disabled nodes, unknown types, and types without a limit are not limited', () => {
  const nodes = [
    node('A', 'base.limited'),
    node('B', 'base.limited', true),
    node('C', 'base.plain'),
    node('D', 'base.plain'),
    node('E', 'base.unknown'),
    node('F', 'base.unknown'),
  ];
  expect(excessNodes({ nodes }, nodeTypes)).toEqual([]);
});
