import type { WorkflowId } from '@sluice/domain';
import { sql, type Transaction } from 'kysely';
import { type EncodedGraph, GraphRepository } from '../executions/graphs/graph-repository.ts';
import type { Tables } from '../tables/tables.ts';

interface NewVersion {
  workflowId: WorkflowId;
  versionId: string;
  graph: EncodedGraph;
  authorId: string;
}

/**
 * Stores a version under the workflow's lock. The clock is read after the lock is taken, so that
 * timestamps are in the order of the saves.
 */
export async function saveVersion(
  tx: Transaction<Tables>,
  { workflowId, versionId, graph, authorId }: NewVersion,
): Promise<void> {
  await new GraphRepository(tx).store(workflowId, graph);
  await tx
    .insertInto('workflow_versions')
    .values({
      id: versionId,
      workflow_id: workflowId,
      graph_hash: graph.hash,
      author_id: authorId,
      created_at: sql`clock_timestamp()`,
    })
    .execute();
}
