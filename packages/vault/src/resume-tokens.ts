import { DerivedMac } from './derived-mac.ts';
import type { KeyRing } from './key-ring.ts';

/** The wait that a token belongs to: the execution's next wait for a request or a form. */
interface TokenSubject {
  executionId: string;
  /**
   * Creation time of the execution, in milliseconds since the epoch: after a database restore,
   * another execution may get its id.
   */
  createdAt: number;
  /** Attempt in which the token was issued; valid until a request has ended a wait. */
  attempt: number;
}

/**
 * Tokens in the URLs that resume waiting executions. Every process with the master key can issue
 * one before the wait starts, and the wait stores it: executions that never wait need no storage.
 * Without the key, tokens cannot be guessed.
 */
export class ResumeTokens {
  readonly #mac: DerivedMac;

  constructor(keys: KeyRing) {
    this.#mac = new DerivedMac(keys, 'sluice resume tokens v1');
  }

  issue(subject: TokenSubject): string {
    return this.#mac.sign(textOf(subject));
  }

  /** Whether it was issued under any of the master keys. */
  isIssued(token: string, subject: TokenSubject): boolean {
    return this.#mac.verify(token, textOf(subject));
  }
}

function textOf({ executionId, createdAt, attempt }: TokenSubject): string {
  return `${executionId}|${createdAt}|${attempt}`;
}
