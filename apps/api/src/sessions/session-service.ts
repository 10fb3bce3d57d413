import { type NewSession, noteForAudit, type SignInRepository } from '@sluice/db';
import { AppError, roleScopes } from '@sluice/domain';
import type { AccessSignals } from '../auth/access-changes.ts';
import type { Caller } from '../auth/caller.ts';
import { assertScopes } from '../auth/scopes.ts';

const lifetimeMs = 7 * 24 * 60 * 60 * 1000;

interface SessionServiceOptions {
  signIns: SignInRepository;
  accessSignals: AccessSignals;
}

/**
 * Sessions of the dashboard. A sign-in link starts one; it has every scope of its user and ends
 * after a week (ADR 71).
 */
export class SessionService {
  readonly #options: SessionServiceOptions;

  constructor(options: SessionServiceOptions) {
    this.#options = options;
  }

  /** Throws `UNAUTHORIZED` for a link that is unknown, used, or expired: one message for all. */
  async create(token: string): Promise<NewSession> {
    const session = await this.#options.signIns.redeem(token, { lifetimeMs, scopesOf: ({ role }) => roleScopes[role] });
    if (!session) throw new AppError({ code: 'UNAUTHORIZED', message: 'this sign-in link has been used, or has expired' });
    noteForAudit({ objectId: session.id, objectName: session.user.email });
    return session;
  }

  /**
   * Throws `NotFoundError` for a session that is not the caller's, or has ended. Another key needs
   * every scope that the session has, as for changing a key (Contract 2.4).
   */
  async end(id: string, { userId, keyId, scopes, role }: Caller): Promise<void> {
    const check = () => assertScopes(scopes, roleScopes[role], 'the API key lacks a scope of the session');
    await this.#options.signIns.end(id, userId, id === keyId ? () => undefined : check);
    this.#options.accessSignals.changed([userId]);
  }
}
