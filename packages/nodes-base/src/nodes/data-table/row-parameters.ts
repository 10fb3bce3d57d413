import {
  type DataColumnType,
  type DataFilter,
  type DataTableInfo,
  dataConditions,
  type ExecuteContext,
  type Item,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  systemDataColumns,
} from '@sluice/node-sdk';
import { stringOf } from '../../shared/coerced-text.ts';
import { setOwn } from '../../shared/field-path.ts';
import { choiceParameter, listParameter, wrongParameter } from '../../shared/parameters.ts';

/**
 * An item's conditions. Throws if conditions are required but missing, since every row would match.
 */
export function filterOf(
  context: ExecuteContext,
  { columns }: DataTableInfo,
  itemIndex: number,
  need: 'required' | 'optional',
): DataFilter {
  const matchType = choiceParameter(context, 'matchType', itemIndex, ['anyCondition', 'allConditions'], 'anyCondition');
  const conditions = listParameter(context, 'filters.conditions', itemIndex);
  if (need === 'required' && conditions.length === 0) {
    throw new NodeOperationError('no condition was given', { itemIndex, description: 'Add a condition that finds the rows' });
  }
  const filters = conditions.map(({ keyName, condition: written = 'eq', keyValue = null }) => {
    const columnName = keyName === undefined || keyName === null ? 'id' : stringOf(keyName);
    const condition = dataConditions.find((candidate) => candidate === written);
    if (!condition)
      throw wrongParameter('filters.conditions.condition', `one of ${dataConditions.join(', ')}`, written, itemIndex);
    const type = [...systemDataColumns, ...columns].find(({ name }) => name === columnName)?.type;
    return { columnName, condition, value: type ? converted(type, keyValue) : keyValue };
  });
  return { type: matchType === 'allConditions' ? 'and' : 'or', filters };
}

/**
 * The values to write, by column. Item fields named `id`, `createdAt`, and `updatedAt` are omitted.
 */
export function valuesOf(context: ExecuteContext, { columns }: DataTableInfo, item: Item, itemIndex: number): JsonObject {
  const source = sourceOf(context, item, itemIndex);
  const values: JsonObject = {};
  for (const [name, value] of Object.entries(source)) {
    if (systemDataColumns.some((column) => column.name === name)) continue;
    const type = columns.find((column) => column.name === name)?.type;
    // Unknown names, `__proto__` among them, are refused when the row is stored.
    setOwn(values, name, type ? converted(type, value ?? null) : (value ?? null));
  }
  return values;
}

function sourceOf(context: ExecuteContext, item: Item, itemIndex: number): JsonObject {
  const modes = ['defineBelow', 'autoMapInputData'] as const;
  if (choiceParameter(context, 'columns.mappingMode', itemIndex, modes, 'defineBelow') === 'autoMapInputData') return item.json;
  const value = context.parameter('columns.value', itemIndex);
  const removed = listParameter(context, 'columns.schema', itemIndex).filter((field) => field['removed'] === true);
  const removedNames = new Set(removed.map((field) => field['id']));
  const entries = Object.entries(isJsonObject(value) ? value : {});
  return Object.fromEntries(entries.filter(([name]) => !removedNames.has(name)));
}

/**
 * Expressions often yield strings for numbers, and vice versa. Values that cannot be converted are
 * refused when they are stored.
 */
function converted(type: DataColumnType, value: JsonValue): JsonValue {
  if (value === null) return null;
  if (type === 'string') return typeof value === 'string' ? value : JSON.stringify(value);
  if (type === 'date') return typeof value === 'number' ? dateOf(value) : value;
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : value);
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : value;
}

function dateOf(milliseconds: number): JsonValue {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? milliseconds : date.toISOString();
}
