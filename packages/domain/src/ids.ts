import { randomBytes } from 'node:crypto';

/** Decimal string of a bigint that grows with time (decision 4.1). */
export type ExecutionId = string;
export type WorkflowId = string;
export type WorkerId = string;

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A random base62 string; 16 characters carry 95 bits. Bytes of 248 and more are redrawn, so that no character is likelier. */
export function randomId(length = 16): string {
  let id = '';
  while (id.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && id.length < length) id += alphabet[byte % 62];
    }
  }
  return id;
}

const maxBigint = 9_223_372_036_854_775_807n;

/** True for the decimal form of a positive bigint, without leading zeros: what an execution id looks like. */
export function isExecutionId(text: string): boolean {
  return /^[1-9]\d{0,18}$/.test(text) && BigInt(text) <= maxBigint;
}
