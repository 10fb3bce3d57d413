import type { Config } from '@sluice/config';
import { type Database, SignInRepository } from '@sluice/db';
import { localUrl } from '../local-url.ts';

/** Minutes for which a link is valid. */
export const signInMinutes = 15;

/**
 * A one-time URL that signs a user in to the dashboard. The token is in the fragment, which
 * browsers do not send, so it does not appear in the logs of servers and proxies.
 */
export async function createSignInLink(db: Database, userId: string, { http }: Pick<Config, 'http'>): Promise<string> {
  const token = await new SignInRepository(db.kysely).createLink(userId, signInMinutes * 60_000);
  const base = http.publicUrl ?? localUrl(http.host, http.port);
  return `${base.replace(/\/$/, '')}/sign-in#token=${token}`;
}
