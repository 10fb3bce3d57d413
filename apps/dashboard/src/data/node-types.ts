import { toolProperties } from '@sluice/node-sdk/display';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, call } from './api.ts';
import type { NodeType } from './workflows.ts';

const staleMs = 5 * 60_000;

/** All node types of the service, for the palette and for names and ports of nodes. */
export function useNodeTypes() {
  const query = useQuery({ queryKey: ['node-types', 'all'], queryFn: readAll, staleTime: staleMs });
  const types = useMemo(() => new NodeTypeMap(query.data?.map((type) => [type.type, type])), [query.data]);
  return { query, types };
}

/** Finds types by the names that public workflows use, too: `n8n-nodes-base.httpRequest`. */
class NodeTypeMap extends Map<string, NodeType> {
  override get(name: string): NodeType | undefined {
    return super.get(name) ?? super.get(identifierOf(name));
  }
}

function identifierOf(name: string): string {
  const [prefix, rest = ''] = name.startsWith('@n8n/n8n-nodes-langchain.')
    ? ['ai.', name.slice('@n8n/n8n-nodes-langchain.'.length)]
    : ['base.', name.replace('n8n-nodes-base.', '')];
  const [, own = rest, tool = ''] = /^(.+)(Tool)$/.exec(rest) ?? [];
  return `${prefix}${own.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}${tool}`;
}

/** The type as a tool of an agent, as the service knows it beside the type. */
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

async function readAll(): Promise<NodeType[]> {
  const types: NodeType[] = [];
  let cursor: string | undefined;
  do {
    const page = await call(api.GET('/node-types', { params: { query: { limit: 250, ...(cursor && { cursor }) } } }));
    types.push(...page.data.flatMap((type) => (type.usableAsTool ? [type, toolOf(type)] : [type])));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return types;
}

/** The type of one node, which also resolves other names of a type. */
export function useNodeType(name: string) {
  return useQuery({
    queryKey: ['node-types', 'one', name],
    queryFn: () => call(api.GET('/node-types/{type}', { params: { path: { type: name } } })),
    staleTime: staleMs,
    retry: false,
  });
}
