import { type Kysely, sql } from 'kysely';
import { inTransaction } from '../statements/in-transaction.ts';
import type { Tables } from '../tables/tables.ts';
import { type SealedData, sealedColumns, toSealedColumns, toSealedData } from './sealed-data.ts';

/** A user who was redirected to a service to authorize a credential. */
export interface CredentialConsent {
  credentialId: string;
  userId: string;
  /** The key that started the authorization. */
  keyId: string;
  /** Encrypted state that is needed when the user returns. */
  sealed: SealedData;
}

/** A consent in flight, with names that the user recognizes. */
interface RequestedConsent {
  /** Email of the user who started it. */
  email: string;
  credentialName: string;
  projectName: string;
  expiresAt: Date;
  sealed: SealedData;
}

/** Whether the key that started a consent `c` is still valid: a consent does not outlive it. */
const isStarterValid = sql<boolean>`EXISTS (
  SELECT FROM api_keys AS starter
  WHERE starter.id = c.api_key_id AND starter.revoked_at IS NULL
    AND (starter.expires_at IS NULL OR starter.expires_at > now())
)`;

/** OAuth2 consents in flight, found by the hash of an unguessable state. */
export class CredentialConsentRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /**
   * Stores a consent for `lifetimeMs` milliseconds of database time. Resolves to its expiry time.
   */
  async begin(stateHash: Buffer, consent: CredentialConsent, lifetimeMs: number): Promise<Date> {
    const { credentialId, userId, keyId, sealed } = consent;
    return inTransaction(this.#db, async (tx) => {
      const { expires_at } = await tx
        .insertInto('credential_consents')
        .values({
          state_hash: stateHash,
          credential_id: credentialId,
          user_id: userId,
          api_key_id: keyId,
          ...toSealedColumns(sealed),
          expires_at: sql<Date>`now() + ${lifetimeMs} * interval '1 millisecond'`,
        })
        .returning('expires_at')
        .executeTakeFirstOrThrow();
      return expires_at;
    });
  }

  /**
   * The consent that the user is asked to confirm. `undefined` if it does not exist or has expired,
   * or if the key that started it is no longer valid.
   */
  async find(stateHash: Buffer): Promise<RequestedConsent | undefined> {
    const row = await this.#db
      .selectFrom('credential_consents as c')
      .innerJoin('users as u', 'u.id', 'c.user_id')
      .innerJoin('credentials as k', 'k.id', 'c.credential_id')
      .innerJoin('projects as p', 'p.id', 'k.project_id')
      .where('c.state_hash', '=', stateHash)
      .where('c.expires_at', '>', sql<Date>`now()`)
      .where(isStarterValid)
      .select(['u.email', 'k.name as credential_name', 'p.name as project_name', 'c.expires_at'])
      .select(sealedColumns.map((column) => `c.${column}` as const))
      .executeTakeFirst();
    if (!row) return undefined;
    const { email, credential_name: credentialName, project_name: projectName, expires_at: expiresAt } = row;
    return { email, credentialName, projectName, expiresAt, sealed: toSealedData(row) };
  }

  /**
   * Deletes and returns it, so it is found only once. `undefined` if it does not exist or has
   * expired, or if the key that started it is no longer valid.
   */
  async take(stateHash: Buffer): Promise<(CredentialConsent & { email: string }) | undefined> {
    const row = await this.#db
      .deleteFrom('credential_consents as c')
      .using('users as u')
      .whereRef('u.id', '=', 'c.user_id')
      .where('c.state_hash', '=', stateHash)
      .returning(['c.credential_id', 'c.user_id', 'c.api_key_id', 'u.email'])
      .returning(sql<boolean>`c.expires_at > now() AND ${isStarterValid}`.as('valid'))
      .returning(sealedColumns.map((column) => `c.${column}` as const))
      .executeTakeFirst();
    if (!row?.valid) return undefined;
    const { credential_id, user_id, api_key_id, email } = row;
    return { credentialId: credential_id, userId: user_id, keyId: api_key_id, email, sealed: toSealedData(row) };
  }
}
