import type { AuditActor, AuditEntry, WorkflowRepository } from '@sluice/db';
import type { WorkflowId } from '@sluice/domain';
import { isAppError } from '@sluice/domain';
import type { RequestingUser } from '@sluice/node-sdk';
import type { Authenticator } from '../auth/authenticator.ts';
import type { Caller } from '../auth/caller.ts';
import type { KeyUsage } from '../auth/key-usage.ts';
import type { RefusalLog } from '../http/logs/refusal-log.ts';

export interface RequestIdentityOptions {
  authenticator: Pick<Authenticator, 'check'>;
  usage: Pick<KeyUsage, 'note'>;
  refusals: Pick<RefusalLog, 'note'>;
  audit: { record(entry: AuditEntry): void };
  workflows: Pick<WorkflowRepository, 'getHead'>;
}

/** A webhook request whose node type requests the sender's identity. */
interface IdentifiedRequest {
  workflowId: WorkflowId;
  /** IP address. */
  address: string;
}

/**
 * Identifies the user of an API key in a webhook request, for node types that admit users only.
 * Success and refusal are audited.
 */
export class RequestIdentity {
  readonly #options: RequestIdentityOptions;

  constructor(options: RequestIdentityOptions) {
    this.#options = options;
  }

  /** `undefined` for an invalid key. */
  async identify(apiKey: string, { workflowId, address: ip }: IdentifiedRequest): Promise<RequestingUser | undefined> {
    const { authenticator, usage, refusals, audit } = this.#options;
    const authentication = await authenticator.check(apiKey);
    if ('refusal' in authentication) {
      const { reason, keyId, userId } = authentication.refusal;
      const actor: AuditActor = { actor: null, userId, keyId, ip, requestId: null };
      refusals.note({ actor, action: 'auth.failure', details: { reason, workflowId } });
      return undefined;
    }
    const { userId, email, keyId } = authentication.caller;
    usage.note(keyId);
    const mayStart = await this.#mayStart(authentication.caller, workflowId);
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

  /** Same rules as the endpoint that runs a workflow. */
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
