import type { WorkflowId } from '@sluice/domain';
import { sql, type Transaction } from 'kysely';
import { encodeGraph, GraphRepository } from '../executions/graph-repository.ts';
import type { Tables } from '../tables/tables.ts';
import type { GraphContent } from '../tables/workflow-tables.ts';

export interface NewVersion {
  workflowId: WorkflowId;
  versionId: string;
  graph: GraphContent;
  authorId: string;
}

/**
 * Stores a version under the workflow's lock. The clock is read after the lock is taken, so
 * timestamps follow the order of the saves.
 */
export async function saveVersion(
  tx: Transaction<Tables>,
  { workflowId, versionId, graph, authorId }: NewVersion,
): Promise<void> {
  const encoded = encodeGraph(graph);
  await new GraphRepository(tx).store(workflowId, encoded);
  await tx
    .insertInto('workflow_versions')
    .values({
      id: versionId,
      workflow_id: workflowId,
      graph_hash: encoded.hash,
      author_id: authorId,
      created_at: sql`clock_timestamp()`,
    })
    .execute();
}
