import { createStore } from './store.ts';

/** Milliseconds between attempts to reach a service that is down. */
const retryMs = 1500;

/** Whether the last request reached the service. After a failure, polls until it responds. */
export const connected = createStore(true);

let timer: ReturnType<typeof setTimeout> | undefined;

export function markReachable(): void {
  clearTimeout(timer);
  timer = undefined;
  connected.set(true);
}

export function markUnreachable(): void {
  connected.set(false);
  timer ??= setTimeout(probe, retryMs);
}

async function probe(): Promise<void> {
  timer = undefined;
  if (await responds()) markReachable();
  else markUnreachable();
}

async function responds(): Promise<boolean> {
  const response = await fetch(new URL('readyz', document.baseURI), { cache: 'no-store' }).catch(() => undefined);
  return response?.ok ?? false;
}

/** Loads a part of the dashboard; after an outage, as soon as the service responds again. */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    // The file may also be gone, after an update of the service.
    if (await responds()) return load();
    await new Promise<void>((resolve) => {
      const unsubscribe = connected.subscribe(() => {
        if (!connected.get()) return;
        unsubscribe();
        resolve();
      });
      markUnreachable();
    });
    return loadPart(load);
  }
}
