import type { AuditActor, AuditEntry, WorkflowRepository } from '@sluice/db';
import type { WorkflowId } from '@sluice/domain';
import { isAppError } from '@sluice/domain';
import type { RequestingUser } from '@sluice/node-sdk';
import type { RefusalLog } from '../audit/refusal-log.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import type { Caller } from '../auth/caller.ts';
import type { KeyUsage } from '../auth/key-usage.ts';

export interface RequestIdentityOptions {
  authenticator: Pick<Authenticator, 'check'>;
  usage: Pick<KeyUsage, 'note'>;
  refusals: Pick<RefusalLog, 'note'>;
  audit: { record(entry: AuditEntry): void };
  workflows: Pick<WorkflowRepository, 'getHead'>;
}

/** A call of a webhook whose type asks who makes it. */
interface IdentifiedRequest {
  workflowId: WorkflowId;
  /** IP address. */
  address: string;
}

/** Tells whose API key a call has brought, for types that let users of this service in alone. Both answers are lines of the audit log. */
export class RequestIdentity {
  readonly #options: RequestIdentityOptions;

  constructor(options: RequestIdentityOptions) {
    this.#options = options;
  }

  /** `undefined`: the key is not good. */
  async identify(apiKey: string, { workflowId, address: ip }: IdentifiedRequest): Promise<RequestingUser | undefined> {
    const { authenticator, usage, refusals, audit } = this.#options;
    const found = await authenticator.check(apiKey);
    if ('refusal' in found) {
      const { reason, keyId, userId } = found.refusal;
      const actor: AuditActor = { actor: null, userId, keyId, ip, requestId: null };
      refusals.note({ actor, action: 'auth.failure', details: { reason, workflowId } });
      return undefined;
    }
    const { userId, email, keyId } = found.caller;
    usage.note(keyId);
    const mayStart = await this.#mayStart(found.caller, workflowId);
    audit.record({
      actor: email,
      userId,
      keyId,
      ip,
      requestId: null,
      action: 'workflow.call',
      objectType: 'workflow',
      objectId: workflowId,
      objectName: null,
      projectId: null,
      outcome: mayStart ? 'success' : 'denied',
      details: null,
    });
    return { id: userId, email, mayStart };
  }

  /** As of the endpoint that runs a workflow. */
  async #mayStart({ scopes, access }: Caller, workflowId: WorkflowId): Promise<boolean> {
    if (!scopes.has('workflow:execute')) return false;
    try {
      await this.#options.workflows.getHead(workflowId, access['project:editor']);
      return true;
    } catch (error) {
      if (isAppError(error) && ['NOT_FOUND', 'FORBIDDEN'].includes(error.code)) return false;
      throw error;
    }
  }
}
