import type {
  Access,
  ExecutionListRepository,
  ExecutionStatisticsRepository,
  ReplicaReader,
  WorkflowRepository,
} from '@sluice/db';

/** Repositories of lists, on the replica or on the primary. */
export interface ListReader {
  executions: Pick<ExecutionListRepository, 'read' | 'countRunning'>;
  statistics: Pick<ExecutionStatisticsRepository, 'read' | 'readLive'>;
  workflows: Pick<WorkflowRepository, 'list' | 'listSummaries'>;
  /** Differs whenever a read might see different data. */
  snapshot(): Promise<string>;
}

export type Lists = ReplicaReader<ListReader>;

/** Key of a result that callers with the same access share. */
export function sharedKey(query: object, { projectIds }: Access): string {
  return JSON.stringify([query, projectIds === 'all' ? 'all' : [...projectIds]]);
}
