import type { JsonObject, NodeOutput } from '@sluice/domain';
import { NodeOperationError } from '@sluice/node-sdk';
import { implementationOf } from '../graph/prepared-graph.ts';
import type { ContextParts } from './execution-context.ts';
import type { NodeContext } from './node-context.ts';
import { NodeInputs } from './node-inputs.ts';
import { NodeScope } from './node-scope.ts';

/** Implements `ExecuteContext.runAsTool` for the sub-node of a context. */
export async function runAsTool(
  parts: ContextParts,
  args: JsonObject,
  itemIndex: number,
  contextOf: (parts: ContextParts) => NodeContext,
): Promise<NodeOutput> {
  const { execution, task, inputs, scope: askers } = parts;
  const { type } = implementationOf(task.node);
  if (!type.execute) throw new NodeOperationError(`node "${task.node.name}" cannot run as a tool`);
  const item = inputs.items(0)[itemIndex] ?? { json: {} };
  const own = new NodeInputs([[item]], false);
  const ownTask = { ...task, inputs: [[item]] };
  const scope = new NodeScope(execution, ownTask, own, askers.run).forItem(0, { $fromAI: args });
  const parameters = await execution.ports.sandbox.resolve(task.node.compiled, scope, execution.request.signal);
  const context = contextOf({ ...parts, task: ownTask, inputs: own, scope, parameters, continueOnFail: false });
  const output = await type.execute(context);
  if (context.suspension) throw new NodeOperationError(`node "${task.node.name}" waits, which a tool cannot do`);
  return output;
}
