import type { ExecuteContext, Item } from '@sluice/node-sdk';
import { choiceParameter, namesParameter, textParameter } from '../parameters.ts';
import type { SqlSession } from './sql-dialect.ts';
import {
  limitParameter,
  type MappedColumns,
  pickedColumns,
  sortParameter,
  splitByMatch,
  whereParameter,
} from './sql-parameters.ts';
import { type ColumnValue, matching, type StatementBuilder } from './sql-statements.ts';

export const tableOperations = ['executeQuery', 'insert', 'update', 'upsert', 'select', 'deleteTable'] as const;
export type TableOperation = (typeof tableOperations)[number];

/** Inputs of an item's statements. */
export interface StatementSource {
  context: ExecuteContext;
  session: SqlSession;
  item: Item;
  itemIndex: number;
}

/** Columns in version 1: the fields in `named`, and for an update the row's key. */
export function firstVersionColumns({ context, item, itemIndex }: StatementSource, named: readonly string[]): MappedColumns {
  const key = textParameter(context, 'updateKey', itemIndex, 'id').trim();
  const isUpdate = textParameter(context, 'operation', itemIndex, 'insert') === 'update';
  const names = isUpdate && !named.includes(key) ? [key, ...named] : named;
  return { values: pickedColumns(item.json, names), matchOn: isUpdate ? [key] : [] };
}

/** `(columns) VALUES (values)` */
export function insertedValues(builder: StatementBuilder, values: readonly ColumnValue[]): string {
  const names = builder.names(values.map(([name]) => name));
  return `(${names}) VALUES (${values.map(([, value]) => builder.bind(value)).join(', ')})`;
}

/** `UPDATE … SET … WHERE …` */
export function updateText(builder: StatementBuilder, table: string, columns: MappedColumns, itemIndex: number): string {
  const set = builder.assignments(changedColumns(columns, itemIndex));
  return `UPDATE ${table} SET ${set}${builder.where(matching(splitByMatch(columns, itemIndex).find))}`;
}

/**
 * Columns that an update or upsert sets. If only match columns are given, it sets those again, so
 * that a matched row is counted although nothing changes.
 */
export function changedColumns(columns: MappedColumns, itemIndex: number): readonly ColumnValue[] {
  const { find, change } = splitByMatch(columns, itemIndex);
  return change.length > 0 ? change : find;
}

/** `SELECT …` from the parameters. */
export function selectText(
  builder: StatementBuilder,
  table: string,
  { context, itemIndex }: StatementSource,
  distinct: 'DISTINCT ' | '' = '',
): string {
  const columns = builder.columns(namesParameter(context, 'options.outputColumns', itemIndex));
  const where = whereParameter(context, builder, itemIndex);
  const sort = sortParameter(context, builder, itemIndex);
  return `SELECT ${distinct}${columns} FROM ${table}${where}${sort}${limitParameter(context, itemIndex)}`;
}

/** `TRUNCATE`, `DELETE`, or `DROP`, depending on the parameter, with the dialect's suffix. */
export function deleteText(
  builder: StatementBuilder,
  table: string,
  { context, itemIndex }: StatementSource,
  endings: { drop: string; truncate: string } = { drop: '', truncate: '' },
): string {
  switch (choiceParameter(context, 'deleteCommand', itemIndex, ['truncate', 'delete', 'drop'], 'truncate')) {
    case 'drop':
      return `DROP TABLE IF EXISTS ${table}${endings.drop}`;
    case 'delete':
      return `DELETE FROM ${table}${whereParameter(context, builder, itemIndex)}`;
    default:
      return `TRUNCATE TABLE ${table}${endings.truncate}`;
  }
}
