import type { ExecuteContext, JsonValue } from '@sluice/node-sdk';
import { booleanParameter } from '../parameters.ts';
import { placeholderCount } from './bind-statements.ts';
import type { SqlDialect } from './sql-dialect.ts';

/**
 * Values of `options.queryReplacement`: a list, or comma-separated text. Parts with expressions
 * were resolved separately (`isExpressionList`), so their values may contain commas. A single
 * string is split only if the query has several placeholders. Empty strings become null with
 * `options.replaceEmptyStrings`.
 */
export function queryValues(context: ExecuteContext, itemIndex: number, query: string, dialect: SqlDialect): JsonValue[] {
  const values = parametersOf(context, itemIndex, query, dialect);
  const nulled = booleanParameter(context, 'options.replaceEmptyStrings', itemIndex, false);
  return nulled ? values.map((value) => (value === '' ? null : value)) : values;
}

function parametersOf(context: ExecuteContext, itemIndex: number, query: string, dialect: SqlDialect): JsonValue[] {
  const value = context.parameter('options.queryReplacement', itemIndex) ?? '';
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return [value];
  if (value.trim() === '') return [];
  return placeholderCount(query, dialect) > 1 ? value.split(',').map((part) => part.trim()) : [value];
}
