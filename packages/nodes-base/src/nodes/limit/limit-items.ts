import { type ExecuteContext, type Item, NodeOperationError } from '@sluice/node-sdk';
import { choiceParameter, numberParameter } from '../../shared/parameters.ts';
import { passedItem } from '../../shared/per-item.ts';

/** The first or the last items, as the parameters `maxItems` and `keep` say. */
export function limitItems(context: ExecuteContext): Item[] {
  const items = context.items();
  const maxItems = numberParameter(context, 'maxItems', 0, 1);
  if (maxItems < 0)
    throw new NodeOperationError(`the parameter "maxItems" has to be 0 or more, and is ${maxItems}`, {
      itemIndex: 0,
      description: 'Give how many items to keep; an expression may have given less than none',
    });
  const keep = choiceParameter(context, 'keep', 0, ['firstItems', 'lastItems'], 'firstItems');
  const start = keep === 'firstItems' ? 0 : Math.max(0, Math.trunc(items.length - maxItems));
  return items.slice(start, keep === 'firstItems' ? maxItems : undefined).map((item, index) => passedItem(item, start + index));
}
