import type { NodeType } from '@sluice/node-sdk';
import { loadInSlices } from '@sluice/nodes-base/loading';
import { loadServiceNodeTypes, serviceNodeTypes } from '@sluice/nodes-services';
import type { LoadedNodeTypes } from './node-type-service.ts';

/**
 * Loads the descriptions of built-in and installed node types (identifier → type). Includes the code of
 * the built-in nodes, which takes memory.
 */
export async function loadNodeTypes(others: ReadonlyMap<string, NodeType>): Promise<LoadedNodeTypes> {
  const { baseNodeTypes, createNodeTypeRegistry } = await loadInSlices();
  const registry = createNodeTypeRegistry(baseNodeTypes, others, serviceNodeTypes);
  const builtIn = [...baseNodeTypes, ...(await loadServiceNodeTypes())];
  const entries = [
    ...builtIn.map(({ description }) => ({ type: `base.${description.name}`, ...description })),
    ...[...others].map(([type, { description }]) => ({ type, ...description })),
  ];
  const typeOf = (name: string) => (others.has(name) ? name : `base.${registry.find(name)?.description.name}`);
  return { entries, typeOf };
}
