import type { NodeType } from '@sluice/node-sdk';
import type { NodeTypeEntry } from './node-type-service.ts';

/**
 * Loads the descriptions of Sluice's node types and of installed ones (identifier → type). The code of our nodes comes with them, so this costs
 * some memory.
 */
export async function loadNodeTypes(others: ReadonlyMap<string, NodeType>): Promise<NodeTypeEntry[]> {
  const { baseNodeTypes } = await import('@sluice/nodes-base');
  return [
    ...baseNodeTypes.map(({ description }) => ({ type: `base.${description.name}`, ...description })),
    ...[...others].map(([type, { description }]) => ({ type, ...description })),
  ];
}
