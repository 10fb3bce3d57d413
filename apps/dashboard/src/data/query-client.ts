import { QueryClient } from '@tanstack/react-query';
import { connected } from './connection.ts';
import { isTemporary } from './errors.ts';
import { session } from './session.ts';
import { shareEqualParts } from './share-equal-parts.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      structuralSharing: shareEqualParts,
      staleTime: 5_000,
      gcTime: 5 * 60_000,
      networkMode: 'always',
      retry: (failures, error) => isTemporary(error) && failures < 5,
      retryDelay: (failures) => Math.min(500 * 2 ** failures, 5_000),
    },
    mutations: { networkMode: 'always' },
  },
});

/** Waits for a change by the service, then reads the queries of these resources again. */
export async function changing<T>(change: Promise<T>, ...resources: readonly string[]): Promise<T> {
  const result = await change;
  await Promise.all(resources.map((resource) => queryClient.invalidateQueries({ queryKey: [resource] })));
  return result;
}

// Reads everything again after an outage.
connected.subscribe(() => {
  if (connected.get()) void queryClient.invalidateQueries();
});
// Another user must not see the previous user's data.
session.subscribe(() => {
  if (session.get().key === undefined) queryClient.clear();
});
