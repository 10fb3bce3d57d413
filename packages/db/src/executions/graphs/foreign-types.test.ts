import { expect, test } from '@jest/globals';
import type { WorkflowNode } from '@sluice/domain';
import { foreignTypesOf } from './foreign-types.ts';

const node = (type: string, more: Partial<WorkflowNode> = {}): WorkflowNode => ({
  name: type,
  type,
  position: [0, 0],
  parameters: {},
  ...more,
});

test('the list contains each package type once, with the version that the node specifies', () => {
  const nodes = [node('base.set'), node('n8n-nodes-base.set'), node('b.x', { typeVersion: 2 }), node('a.x'), node('a.x')];
  expect(foreignTypesOf(nodes)).toEqual(['a.x', 'b.x@2']);
});

test('disabled nodes and built-in types are not listed', () => {
  expect(foreignTypesOf([node('base.set'), node('a.x', { disabled: true })])).toBeNull();
});
