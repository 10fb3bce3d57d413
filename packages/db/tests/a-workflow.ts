import { type Database, ExecutionStarter, encodeGraph, GraphRepository, type NewExecution } from '@sluice/db';
import { type ExecutionId, randomId } from '@sluice/domain';
import { aSmallWorkflow } from '@sluice/test-support';

/** A stored workflow in a project of its own, for tests that are about executions. */
export interface StoredWorkflow {
  workflowId: string;
  projectId: string;
  graphHash: string;
}

export async function aStoredWorkflow(db: Database): Promise<StoredWorkflow> {
  const [workflowId, projectId] = [randomId(), randomId()];
  const graph = encodeGraph(aSmallWorkflow());
  await db.kysely.insertInto('projects').values({ id: projectId, name: 'a project', type: 'team' }).execute();
  await db.kysely
    .insertInto('workflows')
    .values({ id: workflowId, project_id: projectId, name: 'a workflow', version_id: randomId(), active_version_id: null })
    .execute();
  await new GraphRepository(db.kysely).store(workflowId, graph);
  return { workflowId, projectId, graphHash: graph.hash };
}

export function anExecution(workflow: StoredWorkflow, changes: Partial<NewExecution> = {}): NewExecution {
  const { workflowId, graphHash } = workflow;
  return { workflowId, graphHash, versionId: null, mode: 'manual', userId: null, timeoutMs: null, ...changes };
}

/** Inserts executions as `new`; resolves to their ids. */
export async function startExecutions(db: Database, executions: NewExecution[]): Promise<ExecutionId[]> {
  const starter = new ExecutionStarter(db);
  const started = await Promise.all(executions.map((execution) => starter.start(execution)));
  return started.map(({ id }) => {
    if (id === null) throw new Error('the workflow does not exist');
    return id;
  });
}
