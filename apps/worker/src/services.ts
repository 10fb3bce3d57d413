/** A part of the worker that is at work from its start to its stop. */
export interface Service {
  start(): void | Promise<void>;
  /** Takes nothing more; resolves when what it has in hand is over. Does no harm to one that was never started. */
  stop(): void | Promise<void>;
}

/** One after the other, in their order. Throws what the first that cannot start throws; those after it are left alone. */
export async function startServices(services: readonly Service[]): Promise<void> {
  for (const service of services) await service.start();
}

/** Tells all at once, the last first, and waits for all of them: what one has in hand must not keep another taking work. */
export async function stopServices(services: readonly Service[]): Promise<void> {
  await Promise.all(services.toReversed().map(async (service) => service.stop()));
}
