import type { NodeType } from '@sluice/node-sdk';
import type { NodeTypeEntry } from './node-type-service.ts';

/**
 * What the types of Sluice and those of others (identifier → type) say of themselves. The code of our nodes comes with their descriptions, so this costs
 * some memory.
 */
export async function loadNodeTypes(others: ReadonlyMap<string, NodeType>): Promise<NodeTypeEntry[]> {
  const { baseNodeTypes } = await import('@sluice/nodes-base');
  return [
    ...baseNodeTypes.map(({ description }) => ({ type: `base.${description.name}`, ...description })),
    ...[...others].map(([type, { description }]) => ({ type, ...description })),
  ];
}
