import type { Config } from '@sluice/config';
import { traceFields } from '@sluice/domain';
import type { EnginePorts } from '@sluice/engine';
import { createLogger, type Logger } from '@sluice/logger';
import type { NodePackages, UncaughtErrors } from '@sluice/node-packages';
import type { CredentialType } from '@sluice/node-sdk';
import { checkCanary } from '@sluice/vault';
import type { Watchdog } from '@sluice/watchdog';
import { CancelCheck } from './claims/cancel-check.ts';
import { createParts } from './context/create-parts.ts';
import { createServices } from './context/create-services.ts';

export interface WorkerOverrides {
  engine?: Partial<EnginePorts>;
  /** Replaces the built-in node types. */
  credentialTypes?: readonly CredentialType[];
  /** Content of community packages; default: no packages. */
  nodePackages?: NodePackages;
  logger?: Logger;
  /**
   * Handles errors that node code throws outside its calls; default: a handler without listeners.
   */
  uncaughtErrors?: UncaughtErrors;
  /** Watches the process's event loop; default: no watchdog. */
  watchdog?: Pick<Watchdog, 'inFlight' | 'keepLease' | 'leasesRenewedAt'>;
}

export function createWorkerLogger({ logLevel }: Config): Logger {
  return createLogger({ name: 'worker', level: logLevel, context: traceFields });
}

/**
 * All parts of a worker, wired once. Nothing has started yet, except that connections open in the
 * background. The lease exists before the first of the `services` starts and after the last stops.
 *
 * @param overrides ports to replace in tests.
 */
export function createContext(config: Config, overrides: WorkerOverrides = {}) {
  const parts = createParts(
    config,
    { ...overrides, logger: overrides.logger ?? createWorkerLogger(config) },
    { concurrency: () => services.concurrency.limit, listeners: () => services.sources.clock.listeners },
  );
  const services = createServices(config, parts);
  const { inFlightExecutions, logger, vault, vaultKeys, workers } = parts;
  const cancelCheck = new CancelCheck({ areOver: (refs) => workers.areOver(refs), inFlightExecutions, logger });
  return {
    ...parts,
    ...services,
    config,
    /** Throws if the configured master keys do not match the database. */
    checkKeys: () => checkCanary(vault, vaultKeys),
    /** Subscribes to signals. */
    subscribe: () => parts.listen((ids) => cancelCheck.check(ids)),
  };
}

export type WorkerContext = ReturnType<typeof createContext>;
