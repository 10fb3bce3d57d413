/**
 * Jest calls setup and teardown separately, in one process: shared state has to be in the module.
 */
let stop: (() => Promise<void>) | undefined;

export function keepForTeardown(stopServices: () => Promise<void>): void {
  stop = stopServices;
}

export async function stopKept(): Promise<void> {
  await stop?.();
}
