import { type ExecuteContext, type Item, type JsonValue, mapSliced } from '@sluice/node-sdk';
import { choiceParameter, numberParameter } from '../../shared/parameters.ts';
import { passedItem } from '../../shared/per-item.ts';

/**
 * The first or the last items, according to the parameters `maxItems` and `keep`. An empty number
 * keeps no items, and an expression without a value keeps all. A negative number drops that many
 * items from the end if `keep` is the first items, and otherwise keeps no items.
 */
export function limitItems(context: ExecuteContext): Promise<Item[]> {
  const items = context.items();
  const maxItems = mostItems(context);
  const keep = choiceParameter(context, 'keep', 0, ['firstItems', 'lastItems'], 'firstItems');
  const start = keep === 'firstItems' ? 0 : Math.max(0, Math.trunc(items.length - maxItems));
  const keptItems = items.slice(start, keep === 'firstItems' ? maxItems : undefined);
  return mapSliced(keptItems, (item, index) => passedItem(item, start + index));
}

function mostItems(context: ExecuteContext): number {
  const parameter = context.parameter<JsonValue>('maxItems', 0);
  if (parameter === undefined) return Object.hasOwn(context.node.parameters, 'maxItems') ? Number.POSITIVE_INFINITY : 1;
  return parameter === '' || parameter === null ? 0 : numberParameter(context, 'maxItems', 0, 1);
}
