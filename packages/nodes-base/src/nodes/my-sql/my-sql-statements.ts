import { booleanParameter, choiceParameter, namesParameter, requiredText } from '../../shared/parameters.ts';
import { bindStatements } from '../../shared/sql/bind-statements.ts';
import { queryValues } from '../../shared/sql/query-values.ts';
import type { SqlStatement } from '../../shared/sql/sql-dialect.ts';
import { locatorParameter, type MappedColumns, mappedColumns, withoutEmptyTexts } from '../../shared/sql/sql-parameters.ts';
import { StatementBuilder } from '../../shared/sql/sql-statements.ts';
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

const makers: Record<TableOperation, (source: StatementSource) => SqlStatement[]> = {
  executeQuery({ context, session: { dialect }, itemIndex }) {
    const query = requiredText(context, 'query', itemIndex);
    const values = queryValues(context, itemIndex, query, dialect);
    return bindStatements(query, values, { dialect, itemIndex, quotedAsText: false });
  },
  insert: (source) => [insert(source, columnsOf(source))],
  update: (source) => [update(source, columnsOf(source))],
  upsert: (source) => [upsert(source, columnsOf(source))],
  select: (source) => [select(source)],
  deleteTable: (source) => [deleteTable(source)],
};

/** An operation's statements for one item. */
export function mySqlStatements(operation: TableOperation, source: StatementSource): SqlStatement[] {
  return makers[operation](source);
}

function columnsOf(source: StatementSource): MappedColumns {
  const { context, item, itemIndex } = source;
  const columns =
    context.typeVersion < 2
      ? firstVersionColumns(source, namesParameter(context, 'columns', itemIndex))
      : mappedColumns(context, item.json, itemIndex, false);
  return { ...columns, values: withoutEmptyTexts(context, columns.values, itemIndex) };
}

function insert(source: StatementSource, { values }: MappedColumns): SqlStatement {
  const { context, itemIndex } = source;
  const builder = builderOf(source);
  const priority = choiceParameter(context, 'options.priority', itemIndex, ['', 'LOW_PRIORITY', 'HIGH_PRIORITY'], '');
  const skipOption = context.typeVersion < 2 ? 'options.ignore' : 'options.skipOnConflict';
  const words = ['INSERT', priority, booleanParameter(context, skipOption, itemIndex, false) && 'IGNORE', 'INTO'].filter(
    Boolean,
  );
  return builder.build(`${words.join(' ')} ${quotedTable(source)} ${insertedValues(builder, values)}`);
}

function update(source: StatementSource, columns: MappedColumns): SqlStatement {
  const builder = builderOf(source);
  return builder.build(updateText(builder, quotedTable(source), columns, source.itemIndex));
}

/** Uses `VALUES(…)` instead of an alias for the new row, which MariaDB does not support. */
function upsert(source: StatementSource, columns: MappedColumns): SqlStatement {
  const builder = builderOf(source);
  const inserted = insertedValues(builder, columns.values);
  const set = changedColumns(columns, source.itemIndex).map(
    ([name]) => `${builder.name(name)} = VALUES(${builder.name(name)})`,
  );
  return builder.build(`INSERT INTO ${quotedTable(source)} ${inserted} ON DUPLICATE KEY UPDATE ${set.join(', ')}`);
}

function select(source: StatementSource): SqlStatement {
  const builder = builderOf(source);
  const distinct = booleanParameter(source.context, 'options.selectDistinct', source.itemIndex, false);
  return builder.build(selectText(builder, quotedTable(source), source, distinct ? 'DISTINCT ' : ''));
}

function deleteTable(source: StatementSource): SqlStatement {
  const builder = builderOf(source);
  return builder.build(deleteText(builder, quotedTable(source), source));
}

function builderOf({ session }: StatementSource): StatementBuilder {
  return new StatementBuilder(session.dialect);
}

/** A dot separates the database name from the table name. */
function quotedTable({ context, itemIndex, session }: StatementSource): string {
  return locatorParameter(context, 'table', itemIndex).split('.').map(session.dialect.quoteName).join('.');
}
