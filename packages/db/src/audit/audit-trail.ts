import { AsyncLocalStorage } from 'node:async_hooks';
import type { JsonObject } from '@sluice/domain';
import type { Transaction } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import type { AuditActor, AuditEntry } from './audit-entry.ts';
import { insertAuditEntries } from './audit-repository.ts';

/** The fields of an audit line that are known before the action runs. */
export interface AuditedAct {
  actor: AuditActor;
  /** `<object type>.<verb>`. */
  action: string;
  objectId?: string | undefined;
  details?: JsonObject | undefined;
}

const current = new AsyncLocalStorage<AuditTrail>();

/**
 * Follows one action of a user through asynchronous code, so that the first transaction it commits
 * (`inTransaction`) also writes its audit line. If the action commits no transaction, the code that
 * started the trail writes the line: see `written`.
 *
 * Object, name, and project come from the `id`, `name`, and `projectId` of the transaction's
 * result; the length of a list becomes the `count`. `noteForAudit` adds the rest.
 */
export class AuditTrail {
  readonly #entry: AuditEntry;
  #written = false;

  constructor({ actor, action, objectId = undefined, details = undefined }: AuditedAct) {
    const [objectType = action] = action.split('.', 1);
    this.#entry = {
      ...actor,
      action,
      objectType,
      objectId: objectId ?? null,
      objectName: null,
      projectId: objectType === 'project' ? (objectId ?? null) : null,
      outcome: 'success',
      details: details ?? null,
    };
  }

  /** The trail of the action that the calling code belongs to. */
  static current(): AuditTrail | undefined {
    return current.getStore();
  }

  /** Whether a transaction that contains the line has been committed. */
  get written(): boolean {
    return this.#written;
  }

  get entry(): Readonly<AuditEntry> {
    return this.#entry;
  }

  /** Runs the work of the action. */
  follow<T>(work: () => Promise<T>): Promise<T> {
    return current.run(this, work);
  }

  /** Returns a function that discards everything noted after this call. */
  remember(): () => void {
    const before = { ...this.#entry };
    return () => void Object.assign(this.#entry, before);
  }

  note({ details, ...about }: Partial<AuditEntry>): void {
    Object.assign(this.#entry, about);
    if (details) this.#entry.details = { ...this.#entry.details, ...details };
  }

  /** Copies the object's id, name, and project from a result of the action. */
  noteResult(result: unknown): void {
    if (Array.isArray(result)) this.note({ details: { count: result.length } });
    if (typeof result !== 'object' || result === null) return;
    const text = (name: string) => stringOrNull((result as Readonly<Record<string, unknown>>)[name]);
    this.#entry.objectId ??= text('id');
    this.#entry.objectName ??= text('name');
    const executionId = text('executionId');
    if (executionId !== null) this.note({ details: { executionId } });
    this.#entry.projectId ??= this.#entry.objectType === 'project' ? this.#entry.objectId : text('projectId');
  }

  /**
   * Writes the line within `tx`. Called by `inTransaction` only, which calls `committed` after the
   * commit.
   */
  async writeIn(tx: Transaction<Tables>, result: unknown): Promise<void> {
    this.noteResult(result);
    await insertAuditEntries(tx, [this.#entry]);
  }

  committed(): void {
    this.#written = true;
  }
}

/**
 * Adds to the audit line of the action that the calling code belongs to; outside of actions, does
 * nothing.
 */
export function noteForAudit(
  note: Partial<Pick<AuditEntry, 'objectType' | 'objectId' | 'objectName' | 'projectId' | 'details'>>,
): void {
  AuditTrail.current()?.note(note);
}

function stringOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
