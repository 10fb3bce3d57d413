import { NotFoundError, randomId, type Scope, shownId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import { inTransaction } from '../statements/in-transaction.ts';
import type { Tables } from '../tables/tables.ts';
import { generateApiKey, hashApiKey } from './api-key-format.ts';
import { ApiKeyRepository } from './api-key-repository.ts';
import { type User, UserRepository } from './user-repository.ts';

/** 238 random bits, as in API keys. */
const tokenLength = 40;

export interface NewSession {
  /** Id of its key, by which the session can be ended. */
  id: string;
  rawKey: string;
  expiresAt: Date;
  user: User;
}

/** Links that sign a user in once, and the sessions that they start: keys that are not listed. */
export class SignInRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Stores a link and returns its token. Expired links and sessions are deleted. */
  async createLink(userId: string, lifetimeMs: number): Promise<string> {
    const token = randomId(tokenLength);
    return inTransaction(this.#db, async (tx) => {
      await tx.deleteFrom('sign_in_links').where('expires_at', '<=', sql<Date>`clock_timestamp()`).execute();
      await tx
        .deleteFrom('api_keys')
        .where('is_session', '=', true)
        .where('expires_at', '<=', sql<Date>`clock_timestamp()`)
        .execute();
      const expires_at = sql<Date>`clock_timestamp() + ${lifetimeMs} * interval '1 millisecond'`;
      await tx
        .insertInto('sign_in_links')
        .values({ token_hash: hashApiKey(token), user_id: userId, expires_at })
        .execute();
      return token;
    });
  }

  /**
   * Uses up a link and starts a session of its user. `undefined`: the link is unknown, used, or
   * expired. Only one of several concurrent calls gets the session.
   */
  async redeem(
    token: string,
    { lifetimeMs, scopesOf }: { lifetimeMs: number; scopesOf(user: User): readonly Scope[] },
  ): Promise<NewSession | undefined> {
    return inTransaction(this.#db, async (tx) => {
      const link = await tx
        .deleteFrom('sign_in_links')
        .where('token_hash', '=', hashApiKey(token))
        .where('expires_at', '>', sql<Date>`clock_timestamp()`)
        .returning(['user_id as userId', sql<Date>`clock_timestamp() + ${lifetimeMs} * interval '1 millisecond'`.as('until')])
        .executeTakeFirst();
      if (!link) return undefined;
      const user = await new UserRepository(tx).get(link.userId);
      const rawKey = generateApiKey();
      const session = { userId: user.id, label: 'session', rawKey, scopes: scopesOf(user), expiresAt: link.until };
      const { id } = await new ApiKeyRepository(tx).create({ ...session, isSession: true });
      return { id, rawKey, expiresAt: link.until, user };
    });
  }

  /** `check` throws to refuse. Throws `NotFoundError`. */
  async end(id: string, userId: string, check: () => void): Promise<{ id: string }> {
    return inTransaction(this.#db, async (tx) => {
      const deleted = await tx
        .deleteFrom('api_keys')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .where('is_session', '=', true)
        .returning('id')
        .executeTakeFirst();
      if (!deleted) throw new NotFoundError(`session ${shownId(id)} does not exist`);
      check();
      return deleted;
    });
  }
}
