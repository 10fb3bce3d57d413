import { sql, type Transaction } from 'kysely';
import type { Tables } from '../tables/tables.ts';

/** A workflow whose newest or active version names a credential. */
export interface WorkflowWithCredential {
  id: string;
  name: string;
  projectId: string;
}

/** Maximum number of workflows that a refused deletion lists. */
const maxWorkflows = 100;

/** The text search only finds candidates; the graph decides whether a node names the credential. */
export async function findWorkflowsWithCredential(tx: Transaction<Tables>, id: string): Promise<WorkflowWithCredential[]> {
  const rows = await tx
    .selectFrom('workflows as w')
    .innerJoin('workflow_versions as v', (join) => join.on(sql<boolean>`v.id IN (w.version_id, w.active_version_id)`))
    .innerJoin('workflow_graphs as g', (join) => join.onRef('g.workflow_id', '=', 'w.id').onRef('g.hash', '=', 'v.graph_hash'))
    .select(['w.id', 'w.name', 'w.project_id as projectId', 'g.content'])
    .where(sql<boolean>`strpos(g.content::text, ${JSON.stringify(id)}) > 0`)
    .orderBy('w.id')
    .limit(maxWorkflows)
    .execute();
  const workflows = rows.filter(({ content }) =>
    content.nodes.some(({ credentials = {} }) => Object.values(credentials).some((named) => named?.id === id)),
  );
  return [...new Map(workflows.map(({ content: _, ...workflow }) => [workflow.id, workflow])).values()];
}
