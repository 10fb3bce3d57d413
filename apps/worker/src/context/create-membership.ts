import type { Config } from '@sluice/config';
import type { Logger } from '@sluice/logger';
import { foreignTypeNames, type NodePackages, packageOfType } from '@sluice/node-packages';
import { InFlightExecutions } from '../claims/in-flight-executions.ts';
import { LeaseKeeper } from '../claims/lease-keeper.ts';
import type { WorkerOverrides } from '../context.ts';
import { adaptiveRange } from '../intake/adaptive-concurrency.ts';
import { createLoadMeter } from '../intake/load-meter.ts';
import { ownVersion } from '../own-version.ts';
import type { Repositories } from './create-repositories.ts';

interface MembershipParts {
  repositories: Pick<Repositories, 'workers'>;
  nodePackages: NodePackages;
  watchdog: WorkerOverrides['watchdog'];
  /** Executions that may be in flight now. */
  capacity: () => number;
  logger: Logger;
}

/** This worker's shared state: its lease and its node types. */
export function createMembership(
  { worker: { concurrency, leaseMs } }: Config,
  { repositories, nodePackages, watchdog, capacity, logger }: MembershipParts,
) {
  const nodeTypes = foreignTypeNames(nodePackages.nodeTypes);
  const packages = [...new Set([...nodePackages.nodeTypes.keys()].map(packageOfType))];
  const inFlightExecutions = new InFlightExecutions();
  const lease = new LeaseKeeper(repositories.workers, inFlightExecutions, {
    leaseMs,
    concurrency: concurrency === 'auto' ? adaptiveRange.max : concurrency,
    nodeTypes,
    keepLease: (id) => watchdog?.keepLease(id),
    about: {
      version: ownVersion(),
      packages: nodePackages.packages.map(({ name, version }) => ({ name, version })),
    },
    load: createLoadMeter({ active: () => inFlightExecutions.size, capacity }),
    logger,
  });
  return {
    inFlightExecutions,
    lease,
    workerId: () => lease.workerId,
    /** Node types of packages, as `foreignTypeNames` returns them. */
    nodeTypes,
    /** Packages of these types; the worker reads their queues. */
    packages,
  };
}
