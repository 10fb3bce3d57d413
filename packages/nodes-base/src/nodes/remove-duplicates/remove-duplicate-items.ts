import type { ExecuteContext, Item } from '@sluice/node-sdk';
import { readField } from '../../shared/field-path.ts';
import { canonicalJson } from '../../shared/json-equal.ts';
import { booleanParameter } from '../../shared/parameters.ts';
import { passedItem } from '../../shared/per-item.ts';
import { checkTypes, comparedFields, onlyFields } from './compared-fields.ts';

/**
 * The first of the items that are equal in the compared fields. A selected field that an item lacks is an error: items without it
 * would count as duplicates.
 */
export function removeDuplicateItems(context: ExecuteContext): Item[] {
  const items = context.items();
  const compared = comparedFields(context);
  checkTypes(items, compared);
  const removeOthers = booleanParameter(context, 'options.removeOtherFields', 0, false);
  const seen = new Set<string>();
  const kept: Item[] = [];
  items.forEach((item, itemIndex) => {
    const key = canonicalJson(compared.fields.map(({ path }) => readField(item.json, path) ?? null));
    if (seen.has(key)) return;
    seen.add(key);
    const passed = passedItem(item, itemIndex);
    kept.push(removeOthers ? { ...passed, json: onlyFields(item.json, compared.fields) } : passed);
  });
  return kept;
}
