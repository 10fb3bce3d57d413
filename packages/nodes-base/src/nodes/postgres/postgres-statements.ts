import type { ExecuteContext, Item, JsonValue } from '@sluice/node-sdk';
import { booleanParameter, namesParameter, requiredText } from '../../shared/parameters.ts';
import { bindStatements } from '../../shared/sql/bind-statements.ts';
import { queryValues } from '../../shared/sql/query-values.ts';
import type { SqlStatement } from '../../shared/sql/sql-dialect.ts';
import {
  locatorParameter,
  type MappedColumns,
  mappedColumns,
  pickedColumns,
  withoutEmptyTexts,
} from '../../shared/sql/sql-parameters.ts';
import { type ColumnValue, StatementBuilder } from '../../shared/sql/sql-statements.ts';
import {
  changedColumns,
  deleteText,
  firstVersionColumns,
  insertedValues,
  type StatementSource,
  selectText,
  type TableOperation,
  updateText,
} from '../../shared/sql/table-operations.ts';
import { jsonColumns } from './json-columns.ts';

const makers: Record<TableOperation, (source: StatementSource) => Promise<SqlStatement[]> | SqlStatement[]> = {
  executeQuery,
  insert: async (source) => insert(source, await columnsOf(source)),
  update: async (source) => update(source, await columnsOf(source)),
  upsert: async (source) => upsert(source, await columnsOf(source)),
  select,
  deleteTable,
};

/** An operation's statements for one item. */
export function postgresStatements(
  operation: TableOperation,
  source: StatementSource,
): Promise<SqlStatement[]> | SqlStatement[] {
  return makers[operation](source);
}

function executeQuery({ context, session: { dialect }, item, itemIndex }: StatementSource): SqlStatement[] {
  const query = requiredText(context, 'query', itemIndex);
  const values =
    context.typeVersion < 2 ? firstVersionValues(context, item, itemIndex) : queryValues(context, itemIndex, query, dialect);
  const quotedAsText = booleanParameter(context, 'options.treatQueryParametersInSingleQuotesAsText', itemIndex, false);
  return bindStatements(query, values, { dialect, itemIndex, quotedAsText });
}

/** Values in version 1, which selects fields of the item. */
function firstVersionValues(context: ExecuteContext, item: Item, itemIndex: number): JsonValue[] {
  const names = namesParameter(context, 'additionalFields.queryParams', itemIndex);
  return pickedColumns(item.json, names).map(([, value]) => value);
}

/** Lists are written to JSON columns as JSON, and to other columns as Postgres arrays. */
async function columnsOf(source: StatementSource): Promise<MappedColumns> {
  const { context, item, itemIndex, session } = source;
  const columns =
    context.typeVersion < 2
      ? firstVersionColumns(source, namedColumns(source))
      : mappedColumns(context, item.json, itemIndex, context.typeVersion >= 2.2);
  const values = withoutEmptyTexts(context, columns.values, itemIndex);
  if (!values.some(([, value]) => Array.isArray(value))) return { ...columns, values };
  const names = await jsonColumns(session, tableOf(source));
  const written = values.map(
    ([name, value]): ColumnValue => [name, Array.isArray(value) && names.has(name) ? JSON.stringify(value) : value],
  );
  return { ...columns, values: written };
}

/** A name may include its column's type: `price:numeric`. */
function namedColumns({ context, itemIndex }: StatementSource): string[] {
  return namesParameter(context, 'columns', itemIndex).map((name) => name.replace(/:\w+$/, ''));
}

function insert(source: StatementSource, { values }: MappedColumns): SqlStatement[] {
  const { context, itemIndex } = source;
  const builder = builderOf(source);
  const skips = booleanParameter(context, 'options.skipOnConflict', itemIndex, false) ? ' ON CONFLICT DO NOTHING' : '';
  const inserted = valuesOrDefaults(builder, values);
  return [builder.build(`INSERT INTO ${quotedTable(source)} ${inserted}${skips}${returning(source, builder)}`)];
}

function update(source: StatementSource, columns: MappedColumns): SqlStatement[] {
  const builder = builderOf(source);
  const text = updateText(builder, quotedTable(source), columns, source.itemIndex);
  return [builder.build(`${text}${returning(source, builder)}`)];
}

function upsert(source: StatementSource, columns: MappedColumns): SqlStatement[] {
  const builder = builderOf(source);
  const excluded = changedColumns(columns, source.itemIndex).map(
    ([name]) => `${builder.name(name)} = EXCLUDED.${builder.name(name)}`,
  );
  const conflict = ` ON CONFLICT (${builder.names(columns.matchOn)}) DO UPDATE SET ${excluded.join(', ')}`;
  const inserted = valuesOrDefaults(builder, columns.values);
  return [builder.build(`INSERT INTO ${quotedTable(source)} ${inserted}${conflict}${returning(source, builder)}`)];
}

function select(source: StatementSource): SqlStatement[] {
  const builder = builderOf(source);
  return [builder.build(selectText(builder, quotedTable(source), source))];
}

function deleteTable(source: StatementSource): SqlStatement[] {
  const { context, itemIndex } = source;
  const builder = builderOf(source);
  const drop = booleanParameter(context, 'options.cascade', itemIndex, false) ? ' CASCADE' : '';
  const restart = booleanParameter(context, 'restartSequences', itemIndex, false) ? ' RESTART IDENTITY' : '';
  return [builder.build(deleteText(builder, quotedTable(source), source, { drop, truncate: `${restart}${drop}` }))];
}

function valuesOrDefaults(builder: StatementBuilder, values: readonly ColumnValue[]): string {
  return values.length === 0 ? 'DEFAULT VALUES' : insertedValues(builder, values);
}

function returning({ context, itemIndex }: StatementSource, builder: StatementBuilder): string {
  const parameter = context.typeVersion < 2 ? 'returnFields' : 'options.outputColumns';
  return ` RETURNING ${builder.columns(namesParameter(context, parameter, itemIndex))}`;
}

function builderOf({ session }: StatementSource): StatementBuilder {
  return new StatementBuilder(session.dialect);
}

function tableOf({ context, itemIndex }: StatementSource): { schema: string; table: string } {
  return {
    schema: locatorParameter(context, 'schema', itemIndex, 'public'),
    table: locatorParameter(context, 'table', itemIndex),
  };
}

function quotedTable(source: StatementSource): string {
  const { schema, table } = tableOf(source);
  const { quoteName } = source.session.dialect;
  return `${quoteName(schema)}.${quoteName(table)}`;
}
