import type { NodeProperty, NodePropertyOption } from '@sluice/node-sdk/display';
import { useQuery } from '@tanstack/react-query';
import { api, call, type Schemas } from '../../../data/api.ts';
import { choicesOf } from '../../../data/node-properties.ts';
import { useForm } from './form-context.ts';
import type { Values } from './values.ts';

/** The choices of a property: from its description, or loaded by the node. */
export function useChoices(property: NodeProperty) {
  const { node, type, typeVersion, parameters } = useForm();
  const { loadOptionsMethod: method, loadOptionsDependsOn: names = [] } = (property.typeOptions ?? {}) as {
    loadOptionsMethod?: string;
    loadOptionsDependsOn?: string[];
  };
  const query = useQuery({
    queryKey: ['node-methods', type, method, typeVersion, node.credentials, dependenciesOf(parameters, names)],
    queryFn: () => loadChoices({ type, method: String(method), typeVersion, parameters, credentials: node.credentials }),
    enabled: method !== undefined,
    staleTime: 60_000,
    retry: false,
  });
  const choices = method === undefined ? choicesOf(property) : (query.data ?? []);
  return { choices, error: query.error, isLoading: method !== undefined && query.isPending };
}

const dependenciesOf = (parameters: Values, names: readonly string[]) =>
  names.map((name) => parameters[name.split('.')[0] ?? '']);

interface Request {
  type: string;
  method: string;
  typeVersion: number;
  parameters: Values;
  credentials: Schemas['Node']['credentials'];
}

async function loadChoices({ type, method, ...body }: Request): Promise<NodePropertyOption[]> {
  const path = { type, kind: 'loadOptions' as const, method };
  const { data } = await call(
    api.POST('/node-types/{type}/methods/{kind}/{method}', {
      params: { path },
      body: body as Schemas['CallNodeMethodBody'],
    }),
  );
  return data as NodePropertyOption[];
}
