import { isJsonObject } from '@sluice/domain';
import { type ExecuteContext, NodeOperationError } from '@sluice/node-sdk';
import type { RunningType } from '../community-types.ts';

type SubNodeKind = Parameters<ExecuteContext['subNodes']>[0];

/**
 * Reports that a run has no sub-nodes: our sub-nodes supply other values than community packages
 * expect.
 */
export function connectionFunctions(context: Pick<ExecuteContext, 'subNodes'>, type: RunningType) {
  return {
    /** `undefined` if no sub-node is connected and the input accepts at most one. */
    async getInputConnectionData(kind: string): Promise<[] | undefined> {
      const connected = await context.subNodes(kind as SubNodeKind);
      if (connected.length === 0) return takesOne(type.description.inputs, kind) ? undefined : [];
      const message = `this.getInputConnectionData is not available to community packages: "${connected[0]?.name}" is connected as ${kind}`;
      throw new NodeOperationError(message, {}, 'NOT_SUPPORTED');
    },
  };
}

function takesOne(inputs: unknown, kind: string): boolean {
  return (
    Array.isArray(inputs) &&
    inputs.some((input) => isJsonObject(input) && input['type'] === kind && input['maxConnections'] === 1)
  );
}
