/** Groups of operations that share a limit for each API key. */
export const operationGroups = ['read', 'write', 'run', 'credentialTest'] as const;
export type OperationGroup = (typeof operationGroups)[number];

const special: readonly { path: RegExp; group: OperationGroup }[] = [
  { path: /^\/workflows\/[^/]+\/run\/?$/, group: 'run' },
  { path: /^\/executions\/[^/]+\/retry\/?$/, group: 'run' },
  { path: /^\/credentials\/test\/?$/, group: 'credentialTest' },
];

/** @param path below `/api/v1`, without the query. */
export function operationGroup(method: string, path: string): OperationGroup {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return 'read';
  if (method !== 'POST') return 'write';
  return special.find((it) => it.path.test(path))?.group ?? 'write';
}
