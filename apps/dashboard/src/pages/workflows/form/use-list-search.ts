import type { NodePropertyOption } from '@sluice/node-sdk/display';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { api, call, type Schemas } from '../../../data/api.ts';
import { useForm } from './form-context.ts';

interface ResultPage {
  results: NodePropertyOption[];
  paginationToken?: string;
}

/** The choices that the service of the node lists for a search, page by page. */
export function useListSearch(method: string, { filter, own }: { filter: string; own: string }) {
  const { node, type, typeVersion, parameters } = useForm();
  const { [own]: _own, ...others } = parameters;
  const { credentials } = node;
  return useInfiniteQuery({
    queryKey: ['node-methods', type, 'listSearch', method, typeVersion, credentials, others, filter],
    queryFn: async ({ pageParam: paginationToken }) => {
      const body = {
        typeVersion,
        parameters,
        credentials,
        ...(filter && { filter }),
        ...(paginationToken && { paginationToken }),
      };
      const path = { type, kind: 'listSearch' as const, method };
      const { data } = await call(
        api.POST('/node-types/{type}/methods/{kind}/{method}', {
          params: { path },
          body: body as Schemas['CallNodeMethodBody'],
        }),
      );
      return data as ResultPage;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ paginationToken }) => paginationToken,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  });
}
