import type { JsonObject } from '@sluice/domain';
import type { ExecuteContext } from '@sluice/node-sdk';
import { deepCopy } from '../workflow-module/json.ts';

/** The names of an item's expressions, as an object. Other nodes are not included. */
export function dataProxy(context: ExecuteContext, itemIndex: number, parameters: JsonObject): Record<string, unknown> {
  const items = context.items();
  const item = items[itemIndex];
  const json = deepCopy(item?.json ?? {});
  const { workflow, execution, runIndex } = context;
  return {
    $json: json,
    $data: json,
    $binary: deepCopy(item?.binary ?? {}),
    $itemIndex: itemIndex,
    $position: itemIndex,
    $runIndex: runIndex,
    $mode: execution.mode,
    $parameter: parameters,
    $workflow: { id: workflow.id, name: workflow.name, active: workflow.active },
    $execution: { id: execution.id, mode: execution.mode },
    $input: {
      item: deepCopy(item),
      all: () => deepCopy(items),
      first: () => deepCopy(items[0]),
      last: () => deepCopy(items.at(-1)),
    },
    $now: new Date(),
  };
}
