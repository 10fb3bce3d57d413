import type { TransferWorkflowBody } from '@sluice/contract';
import {
  Access,
  CredentialRepository,
  type ExecutionMoveRepository,
  noteForAudit,
  type ProjectRepository,
  type Workflow,
  type WorkflowRepository,
} from '@sluice/db';
import { errorMessage, type WorkflowId } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { Caller } from '../auth/caller.ts';
import { assertEnterprise, type License } from '../auth/license.ts';
import { assertScopes } from '../auth/scopes.ts';

/** Batches of executions moved before the response; workers move the rest. */
const maxBatchesBeforeResponse = 5;

interface TransferServiceOptions {
  workflows: WorkflowRepository;
  projects: ProjectRepository;
  executionMoves: ExecutionMoveRepository;
  license: License;
  logger: Logger;
}

/** Transfers workflows to other projects (Contract 3.5). */
export class TransferService {
  readonly #options: TransferServiceOptions;

  constructor(options: TransferServiceOptions) {
    this.#options = options;
  }

  /**
   * Requires `project:admin` in the source and write access to the destination, plus the rights to
   * share credentials, if any. Only credentials that the source project owns are shared.
   */
  async transfer(id: WorkflowId, body: TransferWorkflowBody, caller: Caller): Promise<void> {
    const { workflows, projects } = this.#options;
    const { destinationProjectId, shareCredentials } = body;
    if (shareCredentials) this.#assertMayShare(caller);
    const source = await workflows.getHead(id, caller.access['project:admin']);
    await projects.get(destinationProjectId, caller.access['project:editor']);
    noteForAudit({ details: { from: source.projectId, to: destinationProjectId, shareCredentials } });
    await workflows.transfer(id, caller.access['project:admin'], destinationProjectId, async (tx, workflow) => {
      if (!shareCredentials) return;
      const owned = new Access([workflow.projectId]);
      await new CredentialRepository(tx).shareOwned(credentialIdsOf(workflow), destinationProjectId, owned);
    });
    await this.#moveSome(id);
  }

  #assertMayShare({ scopes }: Caller): void {
    assertEnterprise(this.#options.license, 'shared credentials');
    assertScopes(scopes, ['credential:share'], 'the API key lacks a scope');
  }

  /** The transfer is committed; workers retry failures. */
  async #moveSome(id: WorkflowId): Promise<void> {
    const { executionMoves, logger } = this.#options;
    try {
      for (let batch = 0; batch < maxBatchesBeforeResponse; batch++) if (!(await executionMoves.moveSome(id))) return;
    } catch (error) {
      logger.warn({ workflowId: id, error: errorMessage(error) }, 'executions not moved; workers will move them');
    }
  }
}

function credentialIdsOf({ graph }: Workflow): string[] {
  const named = graph.nodes.flatMap(({ credentials = {} }) => Object.values(credentials).map(({ id }) => id));
  return [...new Set(named)].filter((id) => typeof id === 'string');
}
