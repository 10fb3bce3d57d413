import { type CredentialOpener, CredentialSession, type FoundCredential, type SessionOptions } from '@sluice/credentials';
import type { CredentialUseRepository, UsedCredential } from '@sluice/db';
import { type ExecutionId, untilAvailable, type WorkflowId } from '@sluice/domain';

type Uses = Pick<CredentialUseRepository, 'find' | 'findForWorkflow' | 'findForProject'>;

/**
 * Credentials for executions and triggers; access is checked against the current project of the
 * stored execution or workflow.
 */
export class WorkerCredentials {
  readonly #opener: CredentialOpener;
  readonly #credentialUses: Uses;

  constructor(opener: CredentialOpener, uses: Uses) {
    this.#opener = opener;
    this.#credentialUses = uses;
  }

  /** Waits while Postgres is unreachable, until the run's signal fires. */
  forExecution(executionId: ExecutionId, signal: AbortSignal): CredentialSession {
    const find = async (id: string) => {
      const credential = await untilAvailable(() => this.#credentialUses.find(id, executionId), signal);
      return found(credential, `execution:${executionId}`, { executionId });
    };
    return new CredentialSession(this.#opener, { find, whenAvailable: (claim) => untilAvailable(claim, signal) });
  }

  /** For an active workflow with polls or listeners. */
  forWorkflow(workflowId: WorkflowId, options?: SessionOptions): CredentialSession {
    const find = async (id: string) =>
      found(await this.#credentialUses.findForWorkflow(id, workflowId), `workflow:${workflowId}`);
    return new CredentialSession(this.#opener, { find }, options);
  }

  /**
   * For a workflow that may be deleted but still has a registration at a service; checked against
   * its project at that time.
   */
  forProject(workflow: { projectId: string; workflowId: WorkflowId }): CredentialSession {
    const actor = `workflow:${workflow.workflowId}`;
    return new CredentialSession(this.#opener, {
      find: async (id) =>
        found(await this.#credentialUses.findForProject(id, workflow), actor, { projectId: workflow.projectId }),
    });
  }
}

function found(
  credential: UsedCredential | undefined,
  actor: string,
  details: Record<string, string> = {},
): FoundCredential | undefined {
  if (!credential) return undefined;
  const { type, name, usable, sealed, userId, projectId, workflowId } = credential;
  return { type, name, usable, sealed, usedBy: { actor, userId, projectId, details: { ...details, workflowId } } };
}
