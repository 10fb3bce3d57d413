import type { ExecuteContext, JsonValue } from '@sluice/node-sdk';
import { booleanParameter } from '../parameters.ts';
import { placeholderCount } from './bind-statements.ts';
import type { SqlDialect } from './sql-dialect.ts';

/**
 * The values of `options.queryReplacement`: a list, or a text of values separated by commas. Parts with expressions were resolved each by
 * itself (`isExpressionList`), so a comma within a value stays there; one text is cut only where the query asks for more than one value.
 * Empty texts become null where `options.replaceEmptyStrings` says so.
 */
export function queryValues(context: ExecuteContext, itemIndex: number, query: string, dialect: SqlDialect): JsonValue[] {
  const values = givenValues(context, itemIndex, query, dialect);
  const nulled = booleanParameter(context, 'options.replaceEmptyStrings', itemIndex, false);
  return nulled ? values.map((value) => (value === '' ? null : value)) : values;
}

function givenValues(context: ExecuteContext, itemIndex: number, query: string, dialect: SqlDialect): JsonValue[] {
  const value = context.parameter('options.queryReplacement', itemIndex) ?? '';
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return [value];
  if (value.trim() === '') return [];
  return placeholderCount(query, dialect) > 1 ? value.split(',').map((part) => part.trim()) : [value];
}
