import { createStore } from './store.ts';

/** Milliseconds between attempts to reach a service that is down. */
const retryMs = 1500;

/** Whether the last request reached the service. While it did not, the service is asked until it responds. */
export const connected = createStore(true);

let timer: ReturnType<typeof setTimeout> | undefined;

export function reached(): void {
  clearTimeout(timer);
  timer = undefined;
  connected.set(true);
}

export function lost(): void {
  connected.set(false);
  timer ??= setTimeout(probe, retryMs);
}

async function probe(): Promise<void> {
  timer = undefined;
  const response = await fetch(new URL('readyz', document.baseURI), { cache: 'no-store' }).catch(() => undefined);
  if (response?.ok) reached();
  else lost();
}
