import {
  type ExecuteContext,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  ownProperty,
} from '@sluice/node-sdk';
import { coercedText, stringOf } from '../coerced-text.ts';
import {
  booleanParameter,
  choiceParameter,
  listParameter,
  namesParameter,
  numberParameter,
  textParameter,
} from '../parameters.ts';
import type { ColumnValue, Condition, StatementBuilder } from './sql-statements.ts';

/**
 * The name in a resource locator (`{ __rl, value, mode }`) or plain text. Throws if it is empty.
 */
export function locatorParameter(context: ExecuteContext, path: string, itemIndex: number, fallback = ''): string {
  const value = context.parameter(path, itemIndex);
  const name = isJsonObject(value)
    ? textParameter(context, `${path}.value`, itemIndex)
    : textParameter(context, path, itemIndex);
  if (name.trim() !== '' || fallback !== '') return name.trim() || fallback;
  throw new NodeOperationError(`the parameter "${path}" is required`, {
    itemIndex,
    description: 'Fill it in; its expression may have no value for this item',
  });
}

/** The values to write, including those that match the row. */
export interface MappedColumns {
  values: readonly ColumnValue[];
  matchOn: readonly string[];
}

/**
 * The columns of a resource mapper (`columns`), or of `dataMode`, `valuesToSend`, and
 * `columnToMatchOn` in versions without a mapper.
 */
export function mappedColumns(context: ExecuteContext, json: JsonObject, itemIndex: number, hasMapper: boolean): MappedColumns {
  return hasMapper ? fromMapper(context, json, itemIndex) : fromFields(context, json, itemIndex);
}

function fromMapper(context: ExecuteContext, json: JsonObject, itemIndex: number): MappedColumns {
  const modes = ['defineBelow', 'autoMapInputData'] as const;
  const mode = choiceParameter(context, 'columns.mappingMode', itemIndex, modes, 'defineBelow');
  const defined = context.parameter('columns.value', itemIndex);
  const source = mode === 'autoMapInputData' ? json : isJsonObject(defined) ? defined : {};
  return { values: entriesOf(source), matchOn: namesParameter(context, 'columns.matchingColumns', itemIndex) };
}

function fromFields(context: ExecuteContext, json: JsonObject, itemIndex: number): MappedColumns {
  const mode = choiceParameter(context, 'dataMode', itemIndex, ['autoMapInputData', 'defineBelow'], 'autoMapInputData');
  const column = textParameter(context, 'columnToMatchOn', itemIndex).trim();
  const matchOn = column === '' ? [] : [column];
  if (mode === 'autoMapInputData') return { values: entriesOf(json), matchOn };
  const sent = listParameter(context, 'valuesToSend.values', itemIndex).map(
    ({ column: name, value = null }): ColumnValue => [coercedText(name), value],
  );
  const matchValues = matchOn.map(
    (name): ColumnValue => [name, context.parameter<JsonValue>('valueToMatchOn', itemIndex, null)],
  );
  return { values: [...matchValues, ...sent.filter(([name]) => !matchOn.includes(name))], matchOn };
}

function entriesOf(json: JsonObject): ColumnValue[] {
  return Object.entries(json).flatMap(([name, value]): ColumnValue[] => (value === undefined ? [] : [[name, value]]));
}

/** An item's named fields; null for a missing field. */
export function pickedColumns(json: JsonObject, names: readonly string[]): ColumnValue[] {
  return names.map((name) => [name, ownProperty(json, name) ?? null]);
}

/** Replaces empty strings with null if the option is set. */
export function withoutEmptyTexts(
  context: ExecuteContext,
  values: readonly ColumnValue[],
  itemIndex: number,
): readonly ColumnValue[] {
  if (!booleanParameter(context, 'options.replaceEmptyStrings', itemIndex, false)) return values;
  return values.map(([column, value]) => [column, value === '' ? null : value]);
}

/**
 * Splits values into those that match the row and those that change it. Throws if no value would
 * match the row.
 */
export function splitByMatch(
  { values, matchOn }: MappedColumns,
  itemIndex: number,
): { find: ColumnValue[]; change: ColumnValue[] } {
  if (matchOn.length === 0) {
    throw new NodeOperationError('no column to match on was chosen', {
      itemIndex,
      description: 'Choose the columns that find the row',
    });
  }
  const matched = new Set(matchOn);
  // The first of a column's values wins.
  const valuesByColumn = new Map(values.filter(([column]) => matched.has(column)).toReversed());
  const find = matchOn.map((name): ColumnValue => {
    const value = valuesByColumn.get(name);
    if (value !== undefined) return [name, value];
    throw new NodeOperationError(`the column to match on, "${name}", has no value`, {
      itemIndex,
      description: 'Check the node’s input; rows cannot be matched without it',
    });
  });
  return { find, change: values.filter(([column]) => !matched.has(column)) };
}

export function whereParameter(context: ExecuteContext, builder: StatementBuilder, itemIndex: number): string {
  const conditions = listParameter(context, 'where.values', itemIndex).map(
    ({ column, condition = 'equal', value = null }): Condition => ({
      column: coercedText(column),
      operator: stringOf(condition),
      value,
    }),
  );
  return builder.where(
    conditions,
    choiceParameter<'AND' | 'OR'>(context, 'combineConditions', itemIndex, ['AND', 'OR'], 'AND'),
  );
}

/** ` ORDER BY …`; empty without sort rules. */
export function sortParameter(context: ExecuteContext, builder: StatementBuilder, itemIndex: number): string {
  const rules = listParameter(context, 'sort.values', itemIndex).map(
    ({ column, direction }) => `${builder.name(coercedText(column))} ${direction === 'DESC' ? 'DESC' : 'ASC'}`,
  );
  return rules.length > 0 ? ` ORDER BY ${rules.join(', ')}` : '';
}

/** ` LIMIT …`; empty to return all rows. */
export function limitParameter(context: ExecuteContext, itemIndex: number): string {
  if (booleanParameter(context, 'returnAll', itemIndex, false)) return '';
  const limit = numberParameter(context, 'limit', itemIndex, 50);
  if (Number.isSafeInteger(limit) && limit >= 0) return ` LIMIT ${limit}`;
  throw new NodeOperationError('the parameter "limit" must be a whole number, 0 or more', {
    itemIndex,
    description: 'Set the number of rows to return',
  });
}
