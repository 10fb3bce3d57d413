import { type ExecuteContext, type Item, NodeOperationError } from '@sluice/node-sdk';
import { coercedText } from '../../shared/coerced-text.ts';
import { type FieldPath, parseFieldPath, readField } from '../../shared/field-path.ts';
import { usesDotNotation } from '../../shared/named-fields.ts';
import { choiceParameter, listParameter, requiredText } from '../../shared/parameters.ts';
import { passedItem } from '../../shared/per-item.ts';
import { compareKeys, type SortKey, sortKey } from './compare-values.ts';

const nameHint = { itemIndex: 0, description: 'Add the field, with its name in the items' };

interface SortField {
  path: FieldPath;
  descending: boolean;
}

/** The items in another order: by fields, by the author's function (in the sandbox), or random. */
export async function sortItems(context: ExecuteContext): Promise<Item[]> {
  switch (choiceParameter(context, 'type', 0, ['simple', 'random', 'code'], 'simple')) {
    case 'simple':
      return sortByFields(context, readSortFields(context));
    case 'random':
      return shuffled(context.items().map((item, index) => passedItem(item, index)));
    case 'code':
      return sortByCode(context);
  }
}

function readSortFields(context: ExecuteContext): SortField[] {
  const dotNotation = usesDotNotation(context, 0);
  const entries = listParameter(context, 'sortFieldsUi.sortField', 0);
  if (entries.length === 0) throw new NodeOperationError('the parameter "sortFieldsUi" must name at least one field', nameHint);
  return entries.map(({ fieldName, order = 'ascending' }) => {
    const name = coercedText(fieldName).trim();
    if (name === '') throw new NodeOperationError('a field to sort by has no name', nameHint);
    const path = parseFieldPath(name, dotNotation);
    if (context.items().length > 0 && context.items().every(({ json }) => readField(json, path) === undefined)) {
      throw new NodeOperationError(`no item has the field "${name}"`, {
        description: 'Check the name; for a name with a dot in it, switch on "Disable Dot Notation"',
      });
    }
    return { path, descending: order === 'descending' };
  });
}

function sortByFields(context: ExecuteContext, fields: readonly SortField[]): Item[] {
  const keyed = context
    .items()
    .map((item, index) => ({ item, index, keys: fields.map(({ path }) => sortKey(readField(item.json, path))) }));
  keyed.sort((a, b) => compareAll(a.keys, b.keys, fields));
  return keyed.map(({ item, index }) => passedItem(item, index));
}

function compareAll(a: readonly SortKey[], b: readonly SortKey[], fields: readonly SortField[]): number {
  for (const [index, { descending }] of fields.entries()) {
    const order = compareKeys(a[index] as SortKey, b[index] as SortKey, descending);
    if (order !== 0) return order;
  }
  return 0;
}

/** Fisher–Yates shuffle. */
function shuffled(items: Item[]): Item[] {
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    const item = items[last] as Item;
    items[last] = items[other] as Item;
    items[other] = item;
  }
  return items;
}

/**
 * The code is the body of a function of `a` and `b`. It shares a line with the surrounding code, so
 * that line numbers are the author's.
 */
function sortByCode(context: ExecuteContext): Promise<Item[]> {
  const code = requiredText(context, 'code', 0);
  if (!/\breturn\b/.test(code)) {
    throw new NodeOperationError('the parameter "code" does not return anything', {
      description: 'Return a number less than, equal to, or greater than 0, as in: return a.json.id - b.json.id',
    });
  }
  return context.runCode({ source: `return items.sort((a, b) => { ${code}\n});`, mode: 'allItems' });
}
