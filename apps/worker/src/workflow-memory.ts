import type {
  ChatSessionRepository,
  ClaimedExecution,
  HistoryOwner,
  SeenHistoryRepository,
  StaticDataRepository,
} from '@sluice/db';
import { type JsonObject, untilAvailable, type WorkerId, type WorkflowId, type WorkflowNode } from '@sluice/domain';
import type { RunRequest } from '@sluice/engine';
import type { ChatHistory, HistoryScope, SeenHistory } from '@sluice/node-sdk';
import { type DataTableRepositories, workflowDataTables } from './workflow-data-tables.ts';

interface WorkflowMemoryOptions extends DataTableRepositories {
  staticData: StaticDataRepository;
  seenHistory: SeenHistoryRepository;
  chatSessions: ChatSessionRepository;
  workerId: () => WorkerId;
}

/**
 * Data that executions of a workflow keep for later ones: its static data, the values that they
 * have seen, the conversations of its memory nodes, and the data tables of its project.
 */
export class WorkflowMemory {
  readonly #options: WorkflowMemoryOptions;

  constructor(options: WorkflowMemoryOptions) {
    this.#options = options;
  }

  /** For the nodes of one execution. */
  of(
    { workflowId }: ClaimedExecution,
    signal: AbortSignal,
  ): Required<Pick<RunRequest, 'staticData' | 'history' | 'chatHistory' | 'dataTables'>> {
    const { staticData, seenHistory, chatSessions } = this.#options;
    return {
      staticData: () => untilAvailable(() => staticData.read(workflowId), signal),
      history: (node) => nodeHistory(seenHistory, workflowId, node),
      chatHistory: (session) => chatHistory(chatSessions, workflowId, session),
      dataTables: workflowDataTables(this.#options, workflowId),
    };
  }

  /** Stores the static data that a run has changed; false if the execution is no longer ours. */
  keepStaticData(claimed: ClaimedExecution, changed: JsonObject, signal: AbortSignal): Promise<boolean> {
    const { staticData, workerId } = this.#options;
    const write = {};
    return untilAvailable(() => staticData.keep(claimed, workerId(), changed, write), signal);
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
    add(scope, values, limit, signal) {
      const write = {};
      return untilAvailable(() => repository.add(ownerOf(scope), values, limit, write), signal);
    },
    passMark(scope, mark, values, signal) {
      const write = {};
      return untilAvailable(() => repository.passMark(ownerOf(scope), mark, values, write), signal);
    },
    clear: (scope, signal) => untilAvailable(() => repository.clear(ownerOf(scope)), signal),
  };
}

/** An append is not repeated while the database is unreachable, nor is the deletion of a number of messages. */
function chatHistory(sessions: ChatSessionRepository, workflowId: WorkflowId, key: string): ChatHistory {
  const session = { workflowId, key };
  return {
    load: async (limit, signal) => {
      const messages = await untilAvailable(() => sessions.read(session), signal);
      return limit === undefined ? messages : messages.slice(Math.max(0, messages.length - limit));
    },
    append: (messages) => sessions.append(session, messages),
    clear: (last, signal) =>
      last === undefined ? untilAvailable(() => sessions.clear(session), signal) : sessions.clear(session, last),
  };
}
