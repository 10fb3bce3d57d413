import type { NodeType } from '@sluice/node-sdk';
import { loadInSlices } from '@sluice/nodes-base/loading';
import type { NodeTypeEntry } from './node-type-service.ts';

/**
 * Loads the descriptions of built-in and installed node types (identifier → type). Includes the code of
 * the built-in nodes, which takes memory.
 */
export async function loadNodeTypes(others: ReadonlyMap<string, NodeType>): Promise<NodeTypeEntry[]> {
  const { baseNodeTypes } = await loadInSlices();
  return [
    ...baseNodeTypes.map(({ description }) => ({ type: `base.${description.name}`, ...description })),
    ...[...others].map(([type, { description }]) => ({ type, ...description })),
  ];
}
