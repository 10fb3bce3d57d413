import { isJsonObject, isNodeOperationError } from '@sluice/node-sdk';

/** A table in SQL. Plain names may have a schema and ignore case, as in SQL; any other name is taken as it is. */
export function quotedTable(name: string, quote: (name: string) => string): string {
  const isPlain = /^[a-z_]\w*(?:\.[a-z_]\w*)?$/i.test(name);
  return isPlain ? name.toLowerCase().split('.').map(quote).join('.') : quote(name);
}

/** The SQLSTATE of an error of a session; empty if it has none. */
export function sqlStateOf(error: unknown): string {
  return isNodeOperationError(error) && isJsonObject(error.details) ? String(error.details['code']) : '';
}
