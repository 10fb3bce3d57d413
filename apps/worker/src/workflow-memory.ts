import type { ClaimedExecution, HistoryOwner, SeenHistoryRepository, StaticDataRepository } from '@sluice/db';
import type { JsonObject, WorkerId, WorkflowId, WorkflowNode } from '@sluice/domain';
import type { RunRequest } from '@sluice/engine';
import type { HistoryScope, SeenHistory } from '@sluice/node-sdk';
import { type DataTableRepositories, projectDataTables } from './project-data-tables.ts';
import { untilAvailable } from './until-available.ts';

export interface WorkflowMemoryOptions extends DataTableRepositories {
  staticData: StaticDataRepository;
  seenHistory: SeenHistoryRepository;
  workerId: () => WorkerId;
}

/**
 * Data that executions of a workflow keep for later ones: its static data, the values that they
 * have seen, and the data tables of its project.
 */
export class WorkflowMemory {
  readonly #options: WorkflowMemoryOptions;

  constructor(options: WorkflowMemoryOptions) {
    this.#options = options;
  }

  /** For the nodes of one execution. */
  of(
    { workflowId, projectId }: ClaimedExecution,
    signal: AbortSignal,
  ): Required<Pick<RunRequest, 'staticData' | 'history' | 'dataTables'>> {
    const { staticData, seenHistory } = this.#options;
    return {
      staticData: () => untilAvailable(() => staticData.read(workflowId), signal),
      history: (node) => nodeHistory(seenHistory, workflowId, node),
      dataTables: projectDataTables(this.#options, projectId),
    };
  }

  /** Stores the static data that a run has changed; false if the execution is no longer ours. */
  keepStaticData(claimed: ClaimedExecution, changed: JsonObject, signal: AbortSignal): Promise<boolean> {
    const { staticData, workerId } = this.#options;
    return untilAvailable(() => staticData.keep(claimed, workerId(), changed), signal);
  }
}

/**
 * A node is identified by its id, so that renaming it loses nothing; or by its name if the file has
 * no ids.
 */
function nodeHistory(repository: SeenHistoryRepository, workflowId: WorkflowId, { id, name }: WorkflowNode): SeenHistory {
  const nodeScope = id ? `id:${id}` : `name:${name}`;
  const ownerOf = (scope: HistoryScope): HistoryOwner => ({ workflowId, scope: scope === 'node' ? nodeScope : '' });
  return {
    add: (scope, values, limit, signal) => untilAvailable(() => repository.add(ownerOf(scope), values, limit), signal),
    passMark: (scope, mark, values, signal) => untilAvailable(() => repository.passMark(ownerOf(scope), mark, values), signal),
    clear: (scope, signal) => untilAvailable(() => repository.clear(ownerOf(scope)), signal),
  };
}
