import type { Config } from '@sluice/config';
import { type Database, SignInRepository } from '@sluice/db';
import { localUrl } from '../local-url.ts';

/** Minutes in which a link can be used. */
export const signInMinutes = 15;

/**
 * A URL that signs a user in to the dashboard, once. The token is in the fragment, which browsers do not
 * send: it appears in no log of a server or proxy.
 */
export async function createSignInLink(db: Database, userId: string, { http }: Config): Promise<string> {
  const token = await new SignInRepository(db.kysely).createLink(userId, signInMinutes * 60_000);
  const base = http.publicUrl ?? localUrl(http.host, http.port);
  return `${base.replace(/\/$/, '')}/sign-in#token=${token}`;
}
