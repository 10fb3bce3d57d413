import { api, byId, call, type Schemas } from './api.ts';
import { session, signOut } from './session.ts';
import { unsavedForms } from './unsaved.ts';

/**
 * The token of a sign-in link, which this removes from the address bar and the history at once. It
 * is in the fragment, which browsers send to no server.
 */
export function takeToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined;
  if (token !== undefined) history.replaceState(history.state, '', location.pathname + location.search);
  return token;
}

/** Uses the link up. Throws `ApiError` if it has been used or has expired. */
export function redeemLink(token: string): Promise<Schemas['Session']> {
  return call(api.POST('/sessions', { body: { token } }));
}

/**
 * Signs out if the user agrees to lose changes, and ends the session at the service if a link
 * started it. A key that the user entered remains valid.
 */
export async function leave(): Promise<void> {
  if (unsavedForms().length > 0 && !confirm('Sign out and lose the changes that are not saved?')) return;
  const { id } = session.get();
  const ended = id === undefined ? undefined : call(api.DELETE('/sessions/{id}', byId(id)));
  // The tab forgets the key even if the service cannot be reached; the session then expires.
  await ended?.catch(() => undefined);
  signOut();
}
