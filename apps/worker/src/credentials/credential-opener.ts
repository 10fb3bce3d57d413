import type { AuditEntry, CredentialUseRepository, UsedCredential } from '@sluice/db';
import { AppError, type ExecutionId, type JsonObject, type JsonValue, type WorkflowId } from '@sluice/domain';
import {
  type AuthenticationPorts,
  boundRenewal,
  type CredentialType,
  credentialAuthentication,
  type HttpAuthentication,
  renewedAfterRefusal,
} from '@sluice/node-sdk';
import { openFresh, type RenewalStore, type SealedSubject, secretValues, type Vault } from '@sluice/vault';

export interface CredentialOpenerOptions {
  credentials: CredentialUseRepository;
  vault: Vault;
  types: { find(name: string): CredentialType | undefined };
  ports: AuthenticationPorts;
  /** Takes lines for the audit log, and writes them soon. */
  audit: { record(entry: AuditEntry): void };
}

/**
 * On whose behalf a credential is opened: an execution, an active workflow whose triggers poll or listen, or one that may be gone and has something at a
 * service, with the project that it is in, or was.
 */
export type CredentialUser = { executionId: ExecutionId } | { workflowId: WorkflowId; projectId?: string };

/** A credential, decrypted. */
export interface OpenedCredential {
  /** As nodes are given it. */
  data: JsonObject;
  /** As it is stored. */
  stored: JsonObject;
  /** What of it must not be stored or logged. */
  secrets: JsonValue;
}

/** Opens credentials for executions and triggers, at the moment in which a node asks. */
export class CredentialOpener {
  readonly #options: CredentialOpenerOptions;

  constructor(options: CredentialOpenerOptions) {
    this.#options = options;
  }

  /**
   * Checks the use against the project of the stored execution or workflow; throws what `ExecuteContext.credentials` says.
   *
   * @param seen uses of that user that the audit log has, to which this one is added: a node that asks for each item makes one line.
   * @param refused what was stored when a service refused it: it is renewed, unless somebody has done so.
   */
  async open(
    subject: SealedSubject,
    { user, seen, refused }: { user: CredentialUser; seen: Set<string>; refused?: JsonObject | undefined },
    signal: AbortSignal,
  ): Promise<OpenedCredential> {
    const { types, vault, ports } = this.#options;
    const type = types.find(subject.type);
    const renewal = boundRenewal(type, ports, refused);
    const stored = await openFresh(vault, subject, { store: this.#storeOf(subject, user, seen), renewal, signal });
    const data = type?.complete?.(stored) ?? stored;
    const knownFields = new Set(Object.keys((type?.schema['properties'] ?? {}) as JsonObject));
    return { data, stored, secrets: secretValues(data, { knownFields, secretFields: new Set(type?.secretFields) }) };
  }

  /** The part in HTTP requests of a credential that was opened; `renew` gives what takes its place after a 401. Throws as `credentialAuthentication`. */
  authentication(name: string, data: JsonObject, renew: NonNullable<HttpAuthentication['renewed']>): HttpAuthentication {
    const { types, ports } = this.#options;
    const type = types.find(name);
    return renewedAfterRefusal(credentialAuthentication(name, type, data, ports), type, renew);
  }

  #storeOf({ id, type }: SealedSubject, user: CredentialUser, seen: Set<string>): RenewalStore {
    const { credentials, audit } = this.#options;
    return {
      async read() {
        const found = await findFor(credentials, id, user);
        if (found?.type !== type) throw notFound(id, type);
        const entry = useOf(found, user);
        const use = `${id} ${entry.outcome}`;
        if (!seen.has(use)) audit.record(entry);
        seen.add(use);
        if (!found.usable) throw notAccessible(id);
        return found.sealed;
      },
      claimRenewal: (record, leaseMs) => credentials.claimRenewal(id, record, leaseMs),
      storeRenewed: (renewalId, record) => credentials.storeRenewed(id, renewalId, record),
      releaseRenewal: (renewalId) => credentials.releaseRenewal(id, renewalId),
    };
  }
}

function findFor(credentials: CredentialUseRepository, id: string, user: CredentialUser): Promise<UsedCredential | undefined> {
  if ('executionId' in user) return credentials.find(id, user.executionId);
  const { workflowId, projectId } = user;
  return projectId === undefined
    ? credentials.findForWorkflow(id, workflowId)
    : credentials.findForProject(id, { projectId, workflowId });
}

/** The line of a use: by an execution, on behalf of the user who started it, if somebody did; or by a trigger of a workflow. */
function useOf({ id, name, workflowId, userId, projectId, usable }: UsedCredential, user: CredentialUser): AuditEntry {
  return {
    actor: 'executionId' in user ? `execution:${user.executionId}` : `workflow:${workflowId}`,
    userId,
    keyId: null,
    ip: null,
    requestId: null,
    action: 'credential.use',
    objectType: 'credential',
    objectId: id,
    objectName: name,
    projectId,
    outcome: usable ? 'success' : 'denied',
    details: { ...user, workflowId },
  };
}

function notFound(id: string, type: string): AppError {
  return new AppError({ code: 'CREDENTIAL_NOT_FOUND', message: `there is no credential ${id.slice(0, 64)} of type "${type}"` });
}

function notAccessible(id: string): AppError {
  const message = `credential ${id} may not be used here: the workflow's project neither owns it nor has it shared`;
  return new AppError({ code: 'CREDENTIAL_NOT_ACCESSIBLE', message });
}
