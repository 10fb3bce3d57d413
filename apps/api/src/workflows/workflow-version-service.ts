import type { ListWorkflowVersionsQuery } from '@sluice/contract';
import type { WorkflowRepository, WorkflowVersion, WorkflowVersionHead, WorkflowVersionRepository } from '@sluice/db';
import { NotFoundError, type WorkflowId } from '@sluice/domain';
import type { Caller } from '../auth/caller.ts';
import { pageByCreation } from '../paging/page-by-creation.ts';
import { assertWorkflowId } from './assert-workflow-id.ts';

export interface WorkflowVersionServiceOptions {
  workflows: WorkflowRepository;
  versions: WorkflowVersionRepository;
}

/** Reads what saves have left. */
export class WorkflowVersionService {
  readonly #options: WorkflowVersionServiceOptions;

  constructor(options: WorkflowVersionServiceOptions) {
    this.#options = options;
  }

  async list(
    workflowId: WorkflowId,
    query: ListWorkflowVersionsQuery,
    caller: Caller,
  ): Promise<{ versions: WorkflowVersionHead[]; nextCursor: string | null }> {
    const { workflows, versions } = this.#options;
    assertWorkflowId(workflowId);
    await workflows.getHead(workflowId, caller.access['project:viewer']);
    const { entries, nextCursor } = await pageByCreation('workflowVersions', query, (page) => versions.list(workflowId, page));
    return { versions: entries, nextCursor };
  }

  async get(workflowId: WorkflowId, id: string, caller: Caller): Promise<WorkflowVersion> {
    const { workflows, versions } = this.#options;
    const access = caller.access['project:viewer'];
    assertWorkflowId(workflowId);
    await workflows.getHead(workflowId, access);
    if (!/^[A-Za-z0-9]{1,64}$/.test(id)) throw new NotFoundError(`version ${JSON.stringify(id.slice(0, 64))} does not exist`);
    return versions.get(workflowId, id, access);
  }
}
