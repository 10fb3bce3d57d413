import type { MemoryBudget } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { UncaughtErrors } from '@sluice/node-packages';
import type { HttpClient } from '@sluice/node-sdk';
import type { KeyRing, Vault } from '@sluice/vault';
import type { WorkerOverrides } from '../context.ts';
import type { ExecutionRunnerOptions } from '../run/execution-runner.ts';
import type { Connections } from './create-connections.ts';
import type { Membership } from './create-membership.ts';
import type { Messaging } from './create-messaging.ts';
import type { NodeKit } from './create-node-kit.ts';
import type { Repositories } from './create-repositories.ts';

/**
 * The shared parts of a worker. Wiring passes all of them to each class, and the class's options type
 * picks what it needs.
 */
export type WorkerParts = Omit<Connections, 'close'> &
  Omit<Repositories, 'variables'> &
  Omit<Messaging, 'close'> &
  Membership &
  NodeKit & {
    keys: KeyRing;
    vault: Vault;
    /** The guarded client. */
    http: HttpClient;
    uncaughtErrors: UncaughtErrors;
    watchdog: WorkerOverrides['watchdog'];
    metrics: ExecutionRunnerOptions['metrics'];
    /** Fires when the worker closes. */
    closing: AbortSignal;
    /** Memory for the data of executions. */
    memoryBudget: MemoryBudget;
    logger: Logger;
  };
