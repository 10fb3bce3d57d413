import { randomBytes } from 'node:crypto';

declare const kind: unique symbol;

/** Any string may become an id of any kind; an id of one kind cannot be assigned to another. */
type Id<Kind extends string> = string & { readonly [kind]?: Kind };

/** Decimal string of a bigint that increases with time (Contract 4.1). */
export type ExecutionId = Id<'execution'>;
export type WorkflowId = Id<'workflow'>;
export type WorkerId = Id<'worker'>;

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * A random base62 string; 16 characters carry 95 bits. Bytes from 248 on are redrawn, so that all
 * characters are equally likely.
 */
export function randomId(length = 16): string {
  let id = '';
  while (id.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && id.length < length) id += alphabet[byte % 62];
    }
  }
  return id;
}

/**
 * Format of the ids of workflows, versions, credentials, users, projects, and tags, whether
 * generated or chosen by callers.
 */
export const idPattern = '^[A-Za-z0-9_-]{1,64}$';
const idShape = new RegExp(idPattern);

/** False for a string that cannot be an id, which must not reach the database or a log. */
export function isId(text: string): boolean {
  return idShape.test(text);
}

/**
 * An id for a message: text that cannot be an id is quoted and shortened, so that it stands out.
 */
export function shownId(id: string): string {
  return isId(id) ? id : JSON.stringify(id.slice(0, 64));
}

const maxBigint = 9_223_372_036_854_775_807n;

/** True for an execution id: the decimal form of a positive bigint without leading zeros. */
export function isExecutionId(text: string): boolean {
  return /^[1-9]\d{0,18}$/.test(text) && BigInt(text) <= maxBigint;
}
