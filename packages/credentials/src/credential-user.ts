import type { JsonObject } from '@sluice/domain';
import type { SealedRecord } from '@sluice/vault';

/** Finds credentials for their user: an execution, a workflow, or a user of the API. */
export interface CredentialUser {
  /**
   * Reads the stored credential and checks access now. `undefined`: the credential does not exist.
   */
  find(id: string): Promise<FoundCredential | undefined>;
  /**
   * Claims a renewal, and repeats the claim while the database is unreachable. Absent: the first
   * failure is final, for users that should not wait, such as API requests.
   */
  whenAvailable?<T>(claim: () => Promise<T>): Promise<T>;
}

/** A stored credential from the view of one user. */
export interface FoundCredential {
  type: string;
  name: string;
  /** Whether this user may use it. */
  usable: boolean;
  sealed: SealedRecord;
  /** Its user, for the audit log; absent: the use is not audited here. */
  usedBy?: UsedBy;
}

/** The user part of an audit entry. */
interface UsedBy {
  actor: string | null;
  userId: string | null;
  projectId: string | null;
  details: JsonObject | null;
}

/** Audit entry of one use of a credential. */
export interface CredentialUseEntry extends UsedBy {
  keyId: null;
  ip: null;
  requestId: null;
  action: 'credential.use';
  objectType: 'credential';
  objectId: string;
  objectName: string;
  outcome: 'success' | 'denied';
}

export function useEntry(
  id: string,
  { name, usable }: Pick<FoundCredential, 'name' | 'usable'>,
  usedBy: UsedBy,
): CredentialUseEntry {
  return {
    ...usedBy,
    keyId: null,
    ip: null,
    requestId: null,
    action: 'credential.use',
    objectType: 'credential',
    objectId: id,
    objectName: name,
    outcome: usable ? 'success' : 'denied',
  };
}
