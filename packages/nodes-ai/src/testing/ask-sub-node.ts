import type { Capabilities, CapabilityType, ExecuteContext, JsonObject, NodeType } from '@sluice/node-sdk';
import type { AiEngine, AiNode, AiRun } from './run-ai.ts';
import { supplierType } from './scripted-model.ts';

/**
 * Runs `ask` in a node `Asker` with the value that a node `Supplier` supplies. Its result is the
 * output.
 */
export function askSubNode<T extends CapabilityType>(
  engine: AiEngine,
  type: T,
  supplier: AiNode,
  ask: (supplied: Capabilities[T], signal: AbortSignal) => Promise<unknown>,
  more: { nodes?: Record<string, AiNode>; items?: readonly JsonObject[] } = {},
): Promise<AiRun> {
  const asker: NodeType = {
    ...supplierType('asker', 'main', () => undefined),
    execute: async (context: ExecuteContext) => {
      const [connected] = await context.connected(type, 0);
      return [[{ json: { result: (await ask(connected?.value as Capabilities[T], context.signal)) as JsonObject } }]];
    },
  };
  const nodes = { Asker: { type: asker }, Supplier: { ...supplier, to: { Asker: type } }, ...more.nodes };
  return engine.run(nodes, more.items);
}
