import { type ExecuteContext, type JsonObject, NodeOperationError } from '@sluice/node-sdk';
import { unsupported, workflowFor } from '@sluice/nodes-base/node-tools';

/**
 * JSON of the items of the workflow's last node. The workflow is looked up at call time, so that
 * access to it is checked then.
 */
export async function calledItems(context: ExecuteContext, json: JsonObject, itemIndex: number): Promise<JsonObject[]> {
  const { workflows, callWorkflow } = context;
  if (!workflows || !callWorkflow) throw unsupported('calling workflows from here', 'Run the workflow on a worker');
  const workflow = await workflowFor(context, workflows, itemIndex);
  const result = await callWorkflow({ workflow, items: [{ json }] });
  if (result.status === 'skipped') return [];
  if (result.status !== 'failed') return result.items.map((item) => item.json);
  const { message, description, code, node } = result.error;
  const details = {
    executionId: result.executionId,
    ...(code !== undefined && { code }),
    ...(node !== undefined && { node }),
  };
  throw new NodeOperationError(message, { description, details });
}
