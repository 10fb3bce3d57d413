import { DerivedMac } from './derived-mac.ts';
import type { KeyRing } from './key-ring.ts';

/** The wait that a token belongs to: for a request, or a form, that an execution comes to next. */
export interface TokenSubject {
  executionId: string;
  /** Creation of the execution, in milliseconds since the epoch: after a database was restored, another execution may have its id. */
  createdAt: number;
  /** Attempt that the token was issued in; it holds until a request has ended a wait. */
  attempt: number;
}

/**
 * Tokens in the addresses that resume waiting executions. Processes with the master key can issue one before the wait starts, and it is stored with the
 * wait: nothing has to be stored for executions that never wait. Without the key, tokens cannot be guessed.
 */
export class ResumeTokens {
  readonly #mac: DerivedMac;

  constructor(keys: KeyRing) {
    this.#mac = new DerivedMac(keys, 'sluice resume tokens v1');
  }

  issue(subject: TokenSubject): string {
    return this.#mac.sign(textOf(subject));
  }

  /** Whether a process with any of the master keys has issued it. */
  isIssued(token: string, subject: TokenSubject): boolean {
    return this.#mac.verify(token, textOf(subject));
  }
}

function textOf({ executionId, createdAt, attempt }: TokenSubject): string {
  return `${executionId}|${createdAt}|${attempt}`;
}
