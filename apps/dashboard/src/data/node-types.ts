import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, call } from './api.ts';
import type { NodeType } from './workflows.ts';

const staleMs = 5 * 60_000;

/** All node types of the service, for the palette and for names and ports of nodes. */
export function useNodeTypes() {
  const query = useQuery({ queryKey: ['node-types', 'all'], queryFn: readAll, staleTime: staleMs });
  const types = useMemo(() => new Map(query.data?.map((type) => [type.type, type])), [query.data]);
  return { query, types };
}

async function readAll(): Promise<NodeType[]> {
  const types: NodeType[] = [];
  let cursor: string | undefined;
  do {
    const page = await call(api.GET('/node-types', { params: { query: { limit: 250, ...(cursor && { cursor }) } } }));
    types.push(...page.data);
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
