import type { ListWorkflowVersionsQuery } from '@sluice/contract';
import type { WorkflowRepository, WorkflowVersion, WorkflowVersionHead, WorkflowVersionRepository } from '@sluice/db';
import type { WorkflowId } from '@sluice/domain';
import type { Caller } from '../auth/caller.ts';
import { type Page, pageByCreation } from '../paging/page.ts';

interface WorkflowVersionServiceOptions {
  workflows: WorkflowRepository;
  workflowVersions: WorkflowVersionRepository;
}

/** Reads saved versions. */
export class WorkflowVersionService {
  readonly #options: WorkflowVersionServiceOptions;

  constructor(options: WorkflowVersionServiceOptions) {
    this.#options = options;
  }

  async list(
    workflowId: WorkflowId,
    { number, ...query }: ListWorkflowVersionsQuery,
    caller: Caller,
  ): Promise<Page<WorkflowVersionHead>> {
    const { workflows, workflowVersions } = this.#options;
    await workflows.getHead(workflowId, caller.access['project:viewer']);
    if (number !== undefined) return { data: await workflowVersions.listByNumber(workflowId, number), nextCursor: null };
    return pageByCreation('workflowVersions', query, (page) => workflowVersions.list(workflowId, page));
  }

  async get(workflowId: WorkflowId, id: string, caller: Caller): Promise<WorkflowVersion> {
    const { workflows, workflowVersions } = this.#options;
    const access = caller.access['project:viewer'];
    await workflows.getHead(workflowId, access);
    return workflowVersions.get(workflowId, id, access);
  }
}
