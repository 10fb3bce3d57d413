import type { CredentialView, UpdatedCredential } from '@sluice/contract';
import type { CredentialHead } from '@sluice/db';
import type { JsonObject, Scope } from '@sluice/domain';

/** Optional parts of a credential's view. */
export interface CredentialExtras {
  scopes?: Scope[];
  /** Projects that it is shared with. */
  sharedWithIds?: string[];
  /** Redacted; `unreadable` if no master key opens it. */
  data?: JsonObject | 'unreadable';
}

export type CredentialWithExtras = { credential: CredentialHead } & CredentialExtras;

export function toCredentialView({ credential, scopes, sharedWithIds, data }: CredentialWithExtras): CredentialView {
  return {
    id: credential.id,
    name: credential.name,
    type: credential.type,
    projectId: credential.projectId,
    isGlobal: credential.isGlobal,
    isManaged: credential.isManaged,
    isResolvable: credential.isResolvable,
    concurrency: credential.concurrency,
    ratePerSecond: credential.ratePerSecond,
    createdAt: credential.createdAt.toISOString(),
    updatedAt: credential.updatedAt.toISOString(),
    ...(scopes && { scopes }),
    ...(sharedWithIds && { sharedWithIds }),
    ...(data === 'unreadable' ? { isUnreadable: true } : data && { data }),
  };
}

export function toUpdatedCredential({ credential, scopes = [] }: CredentialWithExtras): UpdatedCredential {
  const { id, name, type, updatedAt } = credential;
  return { id, name, type, updatedAt: updatedAt.toISOString(), scopes };
}
