import type { NodePackageView } from '@sluice/contract';
import type { NodePackages } from '@sluice/node-packages';

export type FoundPackages = Pick<NodePackages, 'packages' | 'failures'>;

/** The packages found at startup, by name: the loaded and the rejected ones. */
export function toNodePackageViews({ packages, failures }: FoundPackages): NodePackageView[] {
  const loaded = packages.map(
    ({ name, version, nodeTypes, credentialTypes, skipped }): NodePackageView => ({
      name,
      version,
      status: 'loaded',
      nodeTypes: [...nodeTypes],
      credentialTypes: [...credentialTypes],
      skipped: [...skipped],
      reason: null,
    }),
  );
  const failed = failures.map(
    ({ package: name, reason }): NodePackageView => ({
      name,
      version: null,
      status: 'failed',
      nodeTypes: [],
      credentialTypes: [],
      skipped: [],
      reason,
    }),
  );
  return [...loaded, ...failed].sort((a, b) => (a.name < b.name ? -1 : 1));
}
