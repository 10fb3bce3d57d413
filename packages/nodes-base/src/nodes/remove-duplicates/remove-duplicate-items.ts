import type { ExecuteContext, Item, JsonValue } from '@sluice/node-sdk';
import { readField } from '../../shared/field-path.ts';
import { canonicalJson } from '../../shared/json-equal.ts';
import { booleanParameter } from '../../shared/parameters.ts';
import { passedItem } from '../../shared/per-item.ts';
import { checkTypes, comparedFields, onlyFields, type TypeRule } from './compared-fields.ts';

/** The first of several items that are equal in the compared fields. */
export function removeDuplicateItems(context: ExecuteContext, types: TypeRule): Item[] {
  const items = context.items();
  const compared = comparedFields(context);
  checkTypes(items, compared, types);
  const removeOthers = !compared.areAll && booleanParameter(context, 'options.removeOtherFields', 0, false);
  const seen = new Set<string>();
  const passedItems: Item[] = [];
  items.forEach((item, itemIndex) => {
    const fields = compared.of(item.json);
    const values = fields.map(({ name, path }): [string, JsonValue] => [name, readField(item.json, path) ?? null]);
    const key = canonicalJson(Object.fromEntries(values));
    if (seen.has(key)) return;
    seen.add(key);
    const passed = passedItem(item, itemIndex);
    passedItems.push(removeOthers ? { ...passed, json: onlyFields(item.json, fields) } : passed);
  });
  return passedItems;
}
