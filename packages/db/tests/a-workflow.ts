import { Access, type Database, ExecutionStarter, encodeGraph, GraphRepository, type NewExecution } from '@sluice/db';
import { type ExecutionId, randomId, type WebhookTrigger, type WorkflowSettings } from '@sluice/domain';
import { aSmallWorkflow } from '@sluice/test-support';

/** A stored workflow in its own project, for tests of executions. */
export interface StoredWorkflow {
  workflowId: string;
  projectId: string;
  graphHash: string;
}

export async function aStoredWorkflow(db: Database, settings: WorkflowSettings = {}): Promise<StoredWorkflow> {
  const [workflowId, projectId, versionId] = [randomId(), randomId(), randomId()];
  const graph = await encodeGraph({ ...aSmallWorkflow(), settings });
  await db.kysely.insertInto('projects').values({ id: projectId, name: 'a project', type: 'team' }).execute();
  await db.kysely
    .insertInto('workflows')
    .values({ id: workflowId, project_id: projectId, name: 'a workflow', version_id: versionId, active_version_id: null })
    .execute();
  await new GraphRepository(db.kysely).store(workflowId, graph);
  await db.kysely
    .insertInto('workflow_versions')
    .values({ id: versionId, workflow_id: workflowId, graph_hash: graph.hash })
    .execute();
  return { workflowId, projectId, graphHash: graph.hash };
}

/** Like `aStoredWorkflow`, but active. */
export async function anActiveWorkflow(db: Database): Promise<StoredWorkflow> {
  const workflow = await aStoredWorkflow(db);
  await db.kysely
    .updateTable('workflows')
    .set(({ ref }) => ({ active: true, active_version_id: ref('version_id') }))
    .where('id', '=', workflow.workflowId)
    .execute();
  return workflow;
}

export const aWebhookSpec: WebhookTrigger = {
  kind: 'webhook',
  methods: ['POST'],
  path: 'a-path',
  files: { take: 'none' },
  response: { mode: 'onReceived', status: 200, headers: {}, data: 'noData' },
};

export function anExecution(workflow: StoredWorkflow, changes: Partial<NewExecution> = {}): NewExecution {
  const { workflowId, graphHash } = workflow;
  return { workflowId, access: new Access('all'), graphHash, mode: 'manual', userId: null, ...changes };
}

/** Inserts executions as `new`; resolves to their ids. */
export async function startExecutions(db: Database, executions: NewExecution[]): Promise<ExecutionId[]> {
  const starter = new ExecutionStarter(db);
  return Promise.all(executions.map((execution) => starter.start(execution)));
}
