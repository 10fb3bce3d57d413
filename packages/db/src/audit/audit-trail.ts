import { AsyncLocalStorage } from 'node:async_hooks';
import type { JsonObject } from '@sluice/domain';
import type { Transaction } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import type { AuditActor, AuditEntry } from './audit-entry.ts';
import { insertAuditEntries } from './audit-repository.ts';

/** What is known about an act before it happens. */
export interface AuditedAct {
  actor: AuditActor;
  /** `<object type>.<verb>`. */
  action: string;
  objectId?: string | undefined;
  details?: JsonObject | undefined;
}

const current = new AsyncLocalStorage<AuditTrail>();

/**
 * Follows one act of a user through asynchronous code, so that the first transaction that it commits (`inTransaction`) carries its
 * line of the audit log. An act that commits none leaves the line to whoever began the trail: see `written`.
 *
 * Object, name and project come from what the transaction resolves to, if it has an `id`, `name` or `projectId`; of a list, its
 * length becomes the `count`. `noteForAudit` adds what that cannot tell.
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

  /** The trail of the act that the calling code belongs to. */
  static current(): AuditTrail | undefined {
    return current.getStore();
  }

  /** Whether a transaction that carries the line has been committed. */
  get written(): boolean {
    return this.#written;
  }

  get entry(): Readonly<AuditEntry> {
    return this.#entry;
  }

  /** Runs what belongs to the act. */
  follow<T>(work: () => Promise<T>): Promise<T> {
    return current.run(this, work);
  }

  /** The returned function takes back all that is noted after this call. */
  remember(): () => void {
    const before = { ...this.#entry };
    return () => void Object.assign(this.#entry, before);
  }

  note({ details, ...about }: Partial<AuditEntry>): void {
    Object.assign(this.#entry, about);
    if (details) this.#entry.details = { ...this.#entry.details, ...details };
  }

  /** Takes over what a result of the act tells of its object. */
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

  /** Writes the line as part of `tx`; for `inTransaction` alone, which calls `committed` when it is. */
  async writeIn(tx: Transaction<Tables>, result: unknown): Promise<void> {
    this.noteResult(result);
    await insertAuditEntries(tx, [this.#entry]);
  }

  committed(): void {
    this.#written = true;
  }
}

/** Adds to the line of the act that the calling code belongs to; without one, nothing happens. */
export function noteForAudit(
  note: Partial<Pick<AuditEntry, 'objectType' | 'objectId' | 'objectName' | 'projectId' | 'details'>>,
): void {
  AuditTrail.current()?.note(note);
}

function stringOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
