import { isJsonObject, type JsonObject, type JsonValue, type NodeProperty, userKeyed } from '@sluice/node-sdk';
import { choice, choices, collection, number, text } from '@sluice/nodes-base/node-tools';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { numberIn } from './entity-fields.ts';

const itemId = text('itemId', 'Item', 'ID of the item', { typeOptions: { loadOptionsMethod: 'getItems' } });
const taxCode = text('TaxCodeRef', 'Tax Code', 'ID of the tax code', { typeOptions: { loadOptionsMethod: 'getTaxCodeRefs' } });
const common = [
  number('Amount', 'Amount', 0, 'Amount of the line'),
  text('Description', 'Description', 'Text of the line'),
  number('LineNum', 'Position', 1, 'Position of the line'),
];
const quantity = [
  number('Qty', 'Quantity', 1, 'Number of items; Amount is Quantity × Unit Price'),
  number('UnitPrice', 'Unit Price', 0, 'Price of one item'),
];

const lines = (members: readonly NodeProperty[]): NodeProperty =>
  collection('Line', 'Lines', members, { typeOptions: { multipleValues: true } });

/** Invoice and estimate lines. */
export const salesLines = lines([
  choice('DetailType', 'Detail Type', choices(['SalesItemLineDetail', 'Sales Item Line Detail'])),
  itemId,
  ...common,
  ...quantity,
  taxCode,
]);

/** Bill lines. */
export const expenseLines = lines([
  choice(
    'DetailType',
    'Detail Type',
    choices(
      ['ItemBasedExpenseLineDetail', 'Item-Based Expense Line Detail'],
      ['AccountBasedExpenseLineDetail', 'Account-Based Expense Line Detail'],
    ),
  ),
  text('accountId', 'Account', 'ID of the account', { typeOptions: { loadOptionsMethod: 'getAccounts' } }),
  itemId,
  ...common,
  ...quantity,
  taxCode,
]);

/** Members of a line's detail → the parameter that contains an object ID. */
const references: ReadonlyMap<string, string> = new Map([
  ['itemId', 'ItemRef'],
  ['accountId', 'AccountRef'],
  ['TaxCodeRef', 'TaxCodeRef'],
]);

const numbers = new Set(['Qty', 'UnitPrice']);
const maxLines = 10_000;

/**
 * https://developer.intuit.com/app/developer/qbo/docs/api/accounting/all-entities/invoice#create-an-invoice
 */
export function linesOf(item: ServiceItem, initial: string): JsonObject[] {
  const value = item.context.parameter<JsonValue>('Line', item.index) ?? [];
  const entries = [(typeof value === 'string' ? item.json('Line') : value) ?? []].flat();
  if (entries.length > maxLines || !entries.every(isJsonObject))
    throw item.error(
      'the parameter "Line" is not a list of lines',
      `Set it to at most ${maxLines} objects with Amount and itemId`,
    );
  return entries.map((entry) => lineOf(item, entry, initial));
}

function lineOf(item: ServiceItem, entry: JsonObject, initial: string): JsonObject {
  const { DetailType = initial, Amount, ...rest } = entry;
  const kind = asText(DetailType);
  const line = userKeyed<JsonValue>([['DetailType', kind]]);
  const detail: JsonObject = {};
  for (const [name, value] of Object.entries(rest)) {
    const reference = references.get(name);
    if (value === '' || value === null) continue;
    if (reference !== undefined) detail[reference] = isJsonObject(value) ? value : { value: asText(value) };
    else if (numbers.has(name)) detail[name] = numberIn(item, name, value);
    else line[name] = value;
  }
  const own = isJsonObject(line[kind] ?? null) ? (line[kind] as JsonObject) : {};
  return { ...line, Amount: amountOf(item, Amount, detail), [kind]: { ...own, ...detail } };
}

function amountOf(item: ServiceItem, amount: JsonValue | undefined, { Qty = 1, UnitPrice }: JsonObject): number {
  if (amount !== undefined && amount !== '') return numberIn(item, 'Amount', amount);
  if (UnitPrice !== undefined) return Number(Qty) * Number(UnitPrice);
  throw item.error('a line has no amount', 'Fill in "Amount" of each line, or "Unit Price" and "Quantity"');
}
