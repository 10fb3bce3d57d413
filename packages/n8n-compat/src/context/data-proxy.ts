import type { JsonObject } from '@sluice/domain';
import type { ExecuteContext } from '@sluice/node-sdk';
import { boundedCopy } from '../plain-data.ts';

/** The names that an item's expressions can use, as an object. Other nodes are not included. */
export function dataProxy(context: ExecuteContext, itemIndex: number, parameters: JsonObject): Record<string, unknown> {
  const items = context.items();
  const item = items[itemIndex];
  const copied = <T>(value: T) => boundedCopy(value, 'the input of the node');
  const json = copied(item?.json ?? {});
  const { workflow, execution, runIndex } = context;
  return {
    $json: json,
    $data: json,
    $binary: copied(item?.binary ?? {}),
    $itemIndex: itemIndex,
    $position: itemIndex,
    $runIndex: runIndex,
    $mode: execution.mode,
    $parameter: parameters,
    $workflow: { id: workflow.id, name: workflow.name, active: workflow.active },
    $execution: { id: execution.id, mode: execution.mode },
    $input: {
      item: copied(item),
      all: () => copied(items),
      first: () => copied(items[0]),
      last: () => copied(items.at(-1)),
    },
    $now: new Date(),
  };
}
