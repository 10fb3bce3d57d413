/** Jest calls the set-up and the tear-down separately, in one process: what passes between them has to lie in the module. */
let stop: (() => Promise<void>) | undefined;

export function keepForTeardown(stopServices: () => Promise<void>): void {
  stop = stopServices;
}

export async function stopKept(): Promise<void> {
  await stop?.();
}
