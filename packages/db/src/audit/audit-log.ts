import { GroupCommit } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { AuditEntry } from './audit-entry.ts';

/** Maximum number of unwritten lines; beyond it, the database is assumed to reject them. */
const maxPending = 10_000;

interface AuditLogOptions {
  insert(entries: readonly AuditEntry[]): Promise<void>;
  logger: Logger;
}

/**
 * Audit lines outside of transactions: refusals, failures, credential uses, and actions that do not
 * change the database. They are written shortly after, in batches. A line that cannot be written
 * goes to the process log in full.
 */
export class AuditLog {
  readonly #logger: Logger;
  readonly #lines: GroupCommit<AuditEntry>;
  readonly #pending = new Set<Promise<void>>();

  constructor({ insert, logger }: AuditLogOptions) {
    this.#logger = logger;
    this.#lines = new GroupCommit((entries) => insert(entries));
  }

  record(entry: Readonly<AuditEntry>): void {
    if (this.#pending.size >= maxPending) {
      this.#notWritten(entry, new Error('too many audit lines are waiting to be written'));
      return;
    }
    const written = this.#lines.add(entry).catch((error: unknown) => this.#notWritten(entry, error));
    const pending: Promise<void> = written.then(() => void this.#pending.delete(pending));
    this.#pending.add(pending);
  }

  /** Resolves when every recorded line has been written. */
  async flush(): Promise<void> {
    await Promise.all(this.#pending);
  }

  #notWritten(audit: Readonly<AuditEntry>, err: unknown): void {
    this.#logger.error({ audit, err }, 'audit line not written');
  }
}
