import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { KeyRing } from './key-ring.ts';
import { keyBytes } from './master-key.ts';

/** What a token is for: the wait for a call, or a form, that an execution comes to next. */
export interface TokenSubject {
  executionId: string;
  /** Milliseconds since the epoch, when the execution was created: after a database was put back, another one may have its id. */
  createdAt: number;
  /** That the token was issued in; it holds until a call has ended a wait. */
  attempt: number;
}

/** 192 bits. */
const tokenBytes = 24;

/**
 * Tokens in the addresses at which executions that wait are called. Whoever has the master key can tell one before the wait has begun, and is written down with
 * it: so nothing has to be stored for executions that never wait. Without the key they are as random.
 */
export class ResumeTokens {
  readonly #primary: Buffer;
  readonly #all: readonly Buffer[];

  constructor(keys: KeyRing) {
    this.#primary = deriveKey(keys.primary.bytes);
    this.#all = keys.ids.flatMap((id) => keys.find(id) ?? []).map(({ bytes }) => deriveKey(bytes));
  }

  issue(subject: TokenSubject): string {
    return tokenOf(this.#primary, subject);
  }

  /** Whether a process with any of the master keys has issued it. */
  isIssued(token: string, subject: TokenSubject): boolean {
    return this.#all.some((key) => isSame(token, tokenOf(key, subject)));
  }
}

function deriveKey(masterKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, '', 'sluice resume tokens v1', keyBytes));
}

function tokenOf(key: Buffer, { executionId, createdAt, attempt }: TokenSubject): string {
  const mac = createHmac('sha256', key).update(`${executionId}|${createdAt}|${attempt}`).digest();
  return mac.subarray(0, tokenBytes).toString('base64url');
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
