import { GroupCommit } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { AuditEntry } from './audit-entry.ts';

/** More lines than this on their way mean that the database has stopped taking them. */
const maxPending = 10_000;

export interface AuditLogOptions {
  insert(entries: readonly AuditEntry[]): Promise<void>;
  logger: Logger;
}

/**
 * Lines of the audit log that no transaction carries: refusals, failures, acts that are not a change of the database, uses of
 * credentials. They are written soon after, many at once. One that cannot be written goes to the process's log instead, whole.
 */
export class AuditLog {
  readonly #logger: Logger;
  readonly #lines: GroupCommit<AuditEntry, undefined>;
  readonly #pending = new Set<Promise<void>>();

  constructor({ insert, logger }: AuditLogOptions) {
    this.#logger = logger;
    this.#lines = new GroupCommit(async (entries) => {
      await insert(entries);
      return entries.map(() => undefined);
    });
  }

  record(entry: Readonly<AuditEntry>): void {
    if (this.#pending.size >= maxPending) {
      this.#notWritten(entry, new Error('too many lines wait to be written'));
      return;
    }
    const written = this.#lines.add(entry).catch((error: unknown) => this.#notWritten(entry, error));
    const pending: Promise<void> = written.then(() => void this.#pending.delete(pending));
    this.#pending.add(pending);
  }

  /** Resolves when all that was recorded has been written. */
  async flush(): Promise<void> {
    await Promise.all(this.#pending);
  }

  #notWritten(audit: Readonly<AuditEntry>, err: unknown): void {
    this.#logger.error({ audit, err }, 'audit line not written');
  }
}
