import { createStore } from './store.ts';

const name = 'sluice.key';

export interface Session {
  /** API key; `undefined`: signed out. */
  key: string | undefined;
  /** Why the session ended, if the user did not end it. */
  reason?: string;
}

/** The API key is in the storage of this tab only: never in a URL, a cookie, or a log. */
export const session = createStore<Session>({ key: sessionStorage.getItem(name) ?? undefined });

export function signIn(key: string): void {
  sessionStorage.setItem(name, key);
  session.set({ key });
}

export function signOut(reason?: string): void {
  sessionStorage.removeItem(name);
  session.set({ key: undefined, reason });
}
