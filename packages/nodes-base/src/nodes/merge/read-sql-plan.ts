import { type ExecuteContext, type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import { choiceParameter, numberParameter } from '../../shared/parameters.ts';
import type { SqlPlan } from './merge-plan.ts';
import { defaultQuery } from './merge-properties.ts';

/** Maximum number of tables. */
const maxTables = 100;

/** Parameters for combining by SQL. */
export function readSqlPlan(context: ExecuteContext): SqlPlan {
  const tables = Math.max(context.inputCount, numberParameter(context, 'numberInputs', 0, 2));
  const isSuccess = () => choiceParameter(context, 'options.emptyQueryResult', 0, ['success', 'empty'], 'empty') === 'success';
  return {
    kind: 'sql',
    parts: queryParts(context),
    values: queryValues(context.parameter('options.queryParameters', 0) ?? ''),
    tables: Math.min(tables, maxTables),
    emptyAsSuccess: context.typeVersion < 3.2 || isSuccess(),
    tracesRows: context.typeVersion >= 3.1,
  };
}

/**
 * The query as its property resolves it (`expressionsAsValues`). A query that is a single
 * expression is SQL.
 */
function queryParts(context: ExecuteContext): JsonValue[] {
  const query: JsonValue = context.parameter('query', 0) ?? defaultQuery;
  const parts = Array.isArray(query) ? query : [query];
  const [before, whole, after] = parts;
  const isWhole = parts.length === 3 && `${before}${after}`.trim() === '';
  const texts = isWhole ? [whole ?? ''] : parts;
  if (texts.length > 1 || (typeof texts[0] === 'string' && texts[0].trim() !== '')) return texts;
  throw new NodeOperationError('the parameter "query" must be an SQL query', {
    itemIndex: 0,
    description: 'Write a SELECT over the tables input1, input2, and so on',
  });
}

/** A list, or a string of comma-separated values. */
function queryValues(parameter: JsonValue): JsonValue[] {
  if (Array.isArray(parameter)) return parameter;
  if (typeof parameter !== 'string') return [parameter];
  return parameter.trim() === '' ? [] : parameter.split(',').map((value) => value.trim());
}
