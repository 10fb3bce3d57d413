import { type Kysely, sql } from 'kysely';
import type { CredentialLimits } from '../limits/put-limit.ts';
import type { Tables } from '../tables/tables.ts';
import { type SealedData, sealedColumns, toSealedData } from './sealed-data.ts';

/** A credential without its data. */
export interface CredentialHead extends CredentialLimits {
  id: string;
  /** The owning project. */
  projectId: string;
  name: string;
  type: string;
  isGlobal: boolean;
  isManaged: boolean;
  isResolvable: boolean;
  createdAt: Date;
  updatedAt: Date;
}

export interface Credential extends CredentialHead {
  sealed: SealedData;
}

function limitOf(column: 'max_running' | 'per_second') {
  return sql<number | null>`(SELECT ${sql.ref(`l.${column}`)} FROM execution_limits l WHERE l.credential_id = c.id)`;
}

/** Rows have the shape of `CredentialHead`. */
export function selectHead(db: Kysely<Tables>) {
  return db
    .selectFrom('credentials as c')
    .select([
      'c.id',
      'c.project_id as projectId',
      'c.name',
      'c.type',
      'c.is_global as isGlobal',
      'c.is_managed as isManaged',
      'c.is_resolvable as isResolvable',
      'c.created_at as createdAt',
      'c.updated_at as updatedAt',
    ])
    .select([limitOf('max_running').as('concurrency'), limitOf('per_second').as('ratePerSecond')]);
}

/** The same with the encrypted data, for `toCredential`. */
export function selectSealed(db: Kysely<Tables>) {
  return selectHead(db).select(sealedColumns.map((column) => `c.${column}` as const));
}

export function toCredential<T extends CredentialHead & Parameters<typeof toSealedData>[0]>(row: T): Credential {
  const { version, key_id, wrapped_dek, iv, ciphertext, tag, ...head } = row;
  return { ...head, sealed: toSealedData({ version, key_id, wrapped_dek, iv, ciphertext, tag }) };
}
