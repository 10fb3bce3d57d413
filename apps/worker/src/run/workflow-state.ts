import type {
  ChatSessionRepository,
  ClaimedExecution,
  HistoryOwner,
  SeenHistoryRepository,
  StaticDataRepository,
  WorkflowQuota,
} from '@sluice/db';
import { type JsonObject, untilAvailable, type WorkerId, type WorkflowId, type WorkflowNode } from '@sluice/domain';
import type { RunRequest } from '@sluice/engine';
import type { ChatHistory, HistoryScope, SeenHistory } from '@sluice/node-sdk';
import { type DataTableRepositories, workflowDataTables } from './workflow-data-tables.ts';

interface WorkflowStateOptions extends DataTableRepositories {
  staticData: StaticDataRepository;
  seenHistory: SeenHistoryRepository;
  chatSessions: ChatSessionRepository;
  /** Limits seen values and conversations. */
  workflowQuota: Pick<WorkflowQuota, 'assertCapacity'>;
  workerId: () => WorkerId;
}

/**
 * Data that a workflow's executions keep for later ones: static data, seen values, conversations of
 * memory nodes, and the project's data tables.
 */
export class WorkflowState {
  readonly #options: WorkflowStateOptions;

  constructor(options: WorkflowStateOptions) {
    this.#options = options;
  }

  /** For the nodes of one execution. */
  of(
    { workflowId, projectId }: ClaimedExecution,
    signal: AbortSignal,
  ): Required<Pick<RunRequest, 'staticData' | 'history' | 'chatHistory' | 'dataTables'>> {
    const { staticData, seenHistory, chatSessions, workflowQuota } = this.#options;
    const assertCapacity = () => workflowQuota.assertCapacity(projectId);
    return {
      staticData: () => untilAvailable(() => staticData.read(workflowId), signal),
      history: (node) => nodeHistory(seenHistory, workflowId, node, assertCapacity),
      chatHistory: (session) => chatHistory(chatSessions, workflowId, session, assertCapacity),
      dataTables: workflowDataTables(this.#options, workflowId),
    };
  }

  /**
   * Stores the static data that a run has changed; false if this worker no longer owns the
   * execution.
   */
  saveStaticData(claimed: ClaimedExecution, changed: JsonObject, signal: AbortSignal): Promise<boolean> {
    const { staticData, workerId } = this.#options;
    const write = {};
    return untilAvailable(() => staticData.save(claimed, workerId(), changed, write), signal);
  }
}

/** Nodes are identified by id, so that renaming loses nothing; by name if the file has no ids. */
function nodeHistory(
  repository: SeenHistoryRepository,
  workflowId: WorkflowId,
  { id, name }: WorkflowNode,
  assertCapacity: () => void,
): SeenHistory {
  const nodeScope = id ? `id:${id}` : `name:${name}`;
  const ownerOf = (scope: HistoryScope): HistoryOwner => ({ workflowId, scope: scope === 'node' ? nodeScope : '' });
  return {
    async add(scope, values, limit, signal) {
      assertCapacity();
      const write = {};
      return untilAvailable(() => repository.add(ownerOf(scope), values, limit, write), signal);
    },
    async passMark(scope, mark, values, signal) {
      assertCapacity();
      const write = {};
      return untilAvailable(() => repository.passMark(ownerOf(scope), mark, values, write), signal);
    },
    clear: (scope, signal) => untilAvailable(() => repository.clear(ownerOf(scope)), signal),
  };
}

/**
 * Appends, and deletions of a number of messages, are not repeated while the database is
 * unreachable.
 */
function chatHistory(
  sessions: ChatSessionRepository,
  workflowId: WorkflowId,
  key: string,
  assertCapacity: () => void,
): ChatHistory {
  const session = { workflowId, key };
  return {
    load: async (limit, signal) => {
      const messages = await untilAvailable(() => sessions.read(session), signal);
      return limit === undefined ? messages : messages.slice(Math.max(0, messages.length - limit));
    },
    append: async (messages) => {
      assertCapacity();
      await sessions.append(session, messages);
    },
    clear: (last, signal) =>
      last === undefined ? untilAvailable(() => sessions.clear(session), signal) : sessions.clear(session, last),
  };
}
