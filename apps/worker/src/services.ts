import { untilAborted } from '@sluice/domain';

/** A part of the worker with a start and a stop. */
export interface Service {
  start(): void | Promise<void>;
  /**
   * Accepts no further work; resolves when its work in progress is done. Has no effect on a service
   * that was never started.
   */
  stop(): void | Promise<void>;
}

/**
 * Starts the services in order. Throws the error of the first service that cannot start, or the
 * reason of `signal` once that fires; later services are not started.
 */
export async function startServices(services: readonly Service[], signal: AbortSignal): Promise<void> {
  for (const service of services) await untilAborted(Promise.resolve(service.start()), signal);
}

/**
 * Asks all services to stop at once, in reverse order, and waits for all of them, so that no
 * service takes work while another one completes its own.
 */
export async function stopServices(services: readonly Service[]): Promise<void> {
  await Promise.all(services.toReversed().map(async (service) => service.stop()));
}
