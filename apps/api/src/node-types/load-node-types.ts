import { aiIdentifiersOf, type NodeType } from '@sluice/node-sdk';
import { loadAiNodeTypes, withAiTypes } from '@sluice/nodes-ai';
import { loadInSlices } from '@sluice/nodes-base/loading';
import { loadServiceNodeTypes, serviceNodeTypes } from '@sluice/nodes-services';
import type { LoadedNodeTypes } from './node-type-service.ts';

/**
 * Loads the descriptions of built-in and installed node types (identifier → type). Includes the code of
 * the built-in nodes, which takes memory.
 */
export async function loadNodeTypes(others: ReadonlyMap<string, NodeType>): Promise<LoadedNodeTypes> {
  const { baseNodeTypes, createNodeTypeRegistry } = await loadInSlices();
  const registry = withAiTypes(createNodeTypeRegistry(baseNodeTypes, others, serviceNodeTypes));
  const builtIn = [...baseNodeTypes, ...(await loadServiceNodeTypes())];
  const aiNodeTypes = await loadAiNodeTypes();
  const entries = [
    ...builtIn.map(({ description }) => ({ type: `base.${description.name}`, ...description })),
    ...aiNodeTypes.map(({ description }) => ({ type: aiIdentifiersOf(description.name)[0], ...description })),
    ...[...others].map(([type, { description }]) => ({ type, ...description })),
  ];
  const identifiers = new Map(entries.map(({ type }) => [type, type]));
  for (const { name } of aiNodeTypes.map(({ description }) => description)) {
    const [identifier, alias] = aiIdentifiersOf(name);
    identifiers.set(alias, identifier);
  }
  const typeOf = (name: string) => identifiers.get(name) ?? `base.${registry.find(name)?.description.name}`;
  return { entries, typeOf };
}
