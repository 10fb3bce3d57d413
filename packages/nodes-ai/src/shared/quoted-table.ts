import { isJsonObject, isNodeOperationError } from '@sluice/node-sdk';
import { stringOf } from '@sluice/nodes-base/node-tools';

/**
 * A quoted SQL table name. Plain names may have a schema and ignore case, as in SQL; any other name
 * is used verbatim.
 */
export function quotedTable(name: string, quote: (name: string) => string): string {
  const isPlain = /^[a-z_]\w*(?:\.[a-z_]\w*)?$/i.test(name);
  return isPlain ? name.toLowerCase().split('.').map(quote).join('.') : quote(name);
}

/** The SQLSTATE of a database error; empty if it has no SQLSTATE. */
export function sqlStateOf(error: unknown): string {
  return isNodeOperationError(error) && isJsonObject(error.details) ? stringOf(error.details['code']) : '';
}
