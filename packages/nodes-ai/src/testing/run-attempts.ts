import { type EnginePorts, type RunOutcome, type RunRequest, runWorkflow } from '@sluice/engine';
import {
  type CallableWorkflow,
  errorMessage,
  type JsonObject,
  NodeOperationError,
  ownProperty,
  type WorkflowRunResult,
} from '@sluice/node-sdk';

/**
 * ID → function from input JSON to output JSON. An error that it throws becomes the error of the
 * workflow's execution.
 */
export type CalledWorkflows = Readonly<Record<string, (json: JsonObject[]) => readonly JsonObject[]>>;

/**
 * Runs a workflow to its end: after a wait for called workflows, another attempt continues, as in
 * production.
 */
export async function runAttempts(
  ports: EnginePorts,
  called: CalledWorkflows | undefined,
  records: RunRequest['done'],
  request: RunRequest,
): Promise<RunOutcome> {
  let next: RunRequest = { ...request, ...(called && { workflows: accessTo(called) }) };
  for (;;) {
    const outcome = await runWorkflow(ports, next);
    if (!called || outcome.status !== 'waiting' || outcome.suspension.kind !== 'workflows') return outcome;
    const results = outcome.suspension.runs.map(({ workflow, items }) =>
      resultOf(
        called,
        workflow.id,
        items.map(({ json }) => json),
      ),
    );
    // Later attempts read what the earlier ones stored.
    const done = structuredClone([...records]);
    const { kept } = outcome.suspension;
    const event = { kind: 'workflows', results, ...(kept !== undefined && { kept }) } as const;
    next = { ...next, done, resumed: { ...outcome.suspended, event } };
  }
}

function accessTo(called: CalledWorkflows): NonNullable<RunRequest['workflows']> {
  const callable = (id: string): CallableWorkflow => ({ id, name: id, graphHash: id, returnsAllRuns: false });
  return {
    find: async (id) => {
      if (Object.hasOwn(called, id)) return callable(id);
      throw new NodeOperationError(`there is no workflow ${id}`, {}, 'WORKFLOW_NOT_CALLABLE');
    },
    define: async () => callable('inline'),
    current: () => ({ workflow: callable('current') }),
    start: async () => [],
  };
}

function resultOf(called: CalledWorkflows, id: string, json: JsonObject[]): WorkflowRunResult {
  try {
    const items = ownProperty(called, id)?.(json) ?? [];
    return { executionId: '2', status: 'success', items: items.map((one) => ({ json: one })) };
  } catch (error) {
    return { executionId: '2', status: 'failed', error: { message: errorMessage(error) } };
  }
}
