import { createStore, type Store } from './store.ts';

/** A store that survives a reload, in the local storage. Not for secrets. */
export function createPreference<T>(name: string, initial: T): Store<T> {
  const key = `sluice.${name}`;
  const store = createStore<T>(read(key) ?? initial);
  store.subscribe(() => write(key, store.get()));
  return store;
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The storage is full or blocked; the preference lasts until the next reload.
  }
}

function read<T>(key: string): T | undefined {
  try {
    const text = localStorage.getItem(key);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
