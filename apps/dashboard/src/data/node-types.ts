import { toolProperties } from '@sluice/node-sdk/display';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { allPages } from './all-pages.ts';
import { api, call, type Schemas } from './api.ts';
import { identifierOf } from './node-type-facts.ts';

export type NodeType = Schemas['NodeType'];

const staleTime = 5 * 60_000;

export const nodeTypeList = queryOptions({
  queryKey: ['node-types', 'list'],
  queryFn: () => allPages((query) => call(api.GET('/node-types', { params: { query } }))),
  staleTime,
});

/** One type, also by an alternative name of the service. */
export const nodeType = (type: string) =>
  queryOptions({
    queryKey: ['node-types', 'one', type],
    queryFn: () => call(api.GET('/node-types/{type}', { params: { path: { type } } })),
    staleTime,
  });

/** All node types, with tool types, for the palette and for names and ports of nodes. */
export function useNodeTypes() {
  const query = useQuery(nodeTypeList);
  const all = useMemo(() => query.data?.flatMap((type) => (type.usableAsTool ? [type, toolOf(type)] : [type])), [query.data]);
  const types = useMemo(() => new NodeTypeMap(all?.map((type) => [type.type, type])), [all]);
  return { query, all, types };
}

/** Finds types by the names that public workflows use, too. */
class NodeTypeMap extends Map<string, NodeType> {
  override get(name: string): NodeType | undefined {
    return super.get(name) ?? super.get(identifierOf(name));
  }
}

/** The type as an agent's tool, which the service offers in addition to the type. */
function toolOf(type: NodeType): NodeType {
  const name = `${type.displayName} Tool`;
  const properties = [...toolProperties, ...type.properties] as NodeType['properties'];
  return {
    ...type,
    type: `${type.type}Tool`,
    displayName: name,
    defaults: { name },
    inputs: [],
    outputs: ['ai_tool'],
    properties,
  };
}
