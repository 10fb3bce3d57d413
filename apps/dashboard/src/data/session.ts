import { createStore } from './store.ts';

const keyName = 'sluice.key';
const idName = 'sluice.session';

export interface Session {
  /** API key; `undefined`: signed out. */
  key: string | undefined;
  /** ID of the session that a sign-in link started; `undefined`: the user entered a key. */
  id?: string | undefined;
  /** Why the session ended, if the user did not end it. */
  reason?: string | undefined;
}

/** The API key is in the storage of this tab only: never in a URL, a cookie, or a log. */
export const session = createStore<Session>({
  key: sessionStorage.getItem(keyName) ?? undefined,
  id: sessionStorage.getItem(idName) ?? undefined,
});

export function signIn(key: string, id?: string): void {
  sessionStorage.setItem(keyName, key);
  if (id !== undefined) sessionStorage.setItem(idName, id);
  session.set({ key, id });
}

export function signOut(reason?: string): void {
  sessionStorage.removeItem(keyName);
  sessionStorage.removeItem(idName);
  session.set({ key: undefined, reason });
}
