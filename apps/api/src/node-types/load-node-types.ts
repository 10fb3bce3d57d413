import type { NodePackages } from '@sluice/node-packages';
import { aiIdentifiersOf, identifiersOf, type NodeType } from '@sluice/node-sdk';
import { loadAiNodeTypes, withAiTypes } from '@sluice/nodes-ai';
import { loadInSlices } from '@sluice/nodes-base/loading';
import { loadServiceNodeTypes, serviceNodeTypes } from '@sluice/nodes-services';
import type { LoadedNodeTypes } from './node-type-service.ts';

/**
 * Loads the descriptions of built-in and installed node types (identifier → type). Includes the
 * code of the built-in nodes, which takes memory.
 */
export async function loadNodeTypes({
  nodeTypes: others,
  replacements,
}: Pick<NodePackages, 'nodeTypes' | 'replacements'>): Promise<LoadedNodeTypes> {
  const { baseNodeTypes, createNodeTypeRegistry } = await loadInSlices();
  const registry = withAiTypes(createNodeTypeRegistry(baseNodeTypes, others, serviceNodeTypes, replacements));
  const builtIn = [...baseNodeTypes, ...(await loadServiceNodeTypes())];
  const aiNodeTypes = await loadAiNodeTypes();
  const entries = [
    ...builtIn.map(({ description }) => {
      const [type] = identifiersOf(description.name);
      return { type, ...(registry.find(type)?.description ?? description) };
    }),
    ...aiNodeTypes.map(({ description }) => ({ type: aiIdentifiersOf(description.name)[0], ...description })),
    ...[...others].map(([type, { description }]) => ({ type, ...description })),
  ];
  const identifiers = new Map(entries.map(({ type }) => [type, type]));
  const named = (types: readonly NodeType[], of: typeof identifiersOf) => types.map(({ description }) => of(description.name));
  for (const [identifier, alias] of [...named(builtIn, identifiersOf), ...named(aiNodeTypes, aiIdentifiersOf)])
    identifiers.set(alias, identifier);
  const typeOf = (name: string) => identifiers.get(name) ?? `base.${registry.find(name)?.description.name}`;
  return { entries, typeOf };
}
