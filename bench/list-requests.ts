import type { Measurement } from './bench.ts';
import { ownerKey } from './fleet.ts';
import { load, loadTarget } from './http-load.ts';

/** Requests per second for each list, over 50 connections, without concurrent writes. */
export const measureListRequests: Measurement = async ({ fleet, count }) => {
  const rate = async (list: string, requests: number) =>
    requests / (await load(loadTarget(fleet.port, 'GET', `/api/v1/${list}?limit=100`, { key: ownerKey }), requests, 50));
  const round = async (requests: number) => ({
    executionLists: await rate('executions', requests),
    workflowLists: await rate('workflows', requests),
  });
  await round(count / 3); // warm-up
  return () => round(count);
};
