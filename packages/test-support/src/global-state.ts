/**
 * Jest calls setup and teardown separately in one process, so this module holds the shared state.
 */
let stop: (() => Promise<void>) | undefined;

export function keepForTeardown(stopServices: () => Promise<void>): void {
  stop = stopServices;
}

export async function stopKept(): Promise<void> {
  await stop?.();
}
