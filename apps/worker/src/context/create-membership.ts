import type { Config } from '@sluice/config';
import type { Logger } from '@sluice/logger';
import { foreignTypeNames, type NodePackages, packageOfType } from '@sluice/node-packages';
import type { WorkerOverrides } from '../context.ts';
import { HeldExecutions } from '../held-executions.ts';
import { LeaseKeeper } from '../lease-keeper.ts';
import type { Repositories } from './create-repositories.ts';

interface MembershipParts {
  repositories: Pick<Repositories, 'workers'>;
  nodePackages: NodePackages;
  watchdog: WorkerOverrides['watchdog'];
  logger: Logger;
}

/** What the others know of this worker: its lease, and what it has. */
export interface Membership {
  held: HeldExecutions;
  lease: LeaseKeeper;
  /** Node types of packages, as `foreignTypeNames` gives them. */
  nodeTypes: readonly string[];
  /** The packages that these are of, whose queues it reads. */
  packages: readonly string[];
}

export function createMembership(
  { worker: { concurrency, leaseMs } }: Config,
  { repositories, nodePackages, watchdog, logger }: MembershipParts,
): Membership {
  const nodeTypes = foreignTypeNames(nodePackages.nodeTypes);
  const packages = [...new Set([...nodePackages.nodeTypes.keys()].map(packageOfType))];
  const held = new HeldExecutions();
  const lease = new LeaseKeeper(repositories.workers, held, {
    leaseMs,
    concurrency,
    nodeTypes,
    keepLease: (id) => watchdog?.keepLease(id),
    logger,
  });
  return { held, lease, nodeTypes, packages };
}
