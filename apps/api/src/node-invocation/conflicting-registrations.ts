import { type LeasedRegistration, type Registration, type RegistrationRepository, withRegistrationLease } from '@sluice/db';
import { errorMessage, isAppError } from '@sluice/domain';
import type { NodeLogger } from '@sluice/node-sdk';
import { RegistrationFailedError } from './errors.ts';

interface ConflictingRegistrationsOptions {
  registrations: Pick<RegistrationRepository, 'extend' | 'settle' | 'fail' | 'release' | 'mergeData' | 'recordReplacement'>;
  rows: readonly LeasedRegistration[];
  heldBy: string;
  /** Removes the registration of a row; resolves to whether the service received a request. */
  end(row: Registration): Promise<boolean>;
  logger: NodeLogger;
}

/**
 * Registrations that an activation must remove first: they use the same account, and a service may
 * allow one webhook only. The workflow's own are deleted with the commit; without a commit, workers
 * create them again. Workers also retry registrations that cannot be removed now, and check
 * registrations created in the meantime. With `hooks` they could not check, so nothing is created.
 */
export class ConflictingRegistrations {
  readonly #options: ConflictingRegistrationsOptions;
  readonly #touched = new Set<string>();
  readonly #ended = new Set<string>();

  constructor(options: ConflictingRegistrationsOptions) {
    this.#options = options;
  }

  /** Rows that the activation leases until the commit. */
  get ids(): string[] {
    return this.#options.rows.flatMap(({ id, wanted }) => (wanted ? [id] : []));
  }

  /** Leased rows whose registrations are removed. */
  get ended(): string[] {
    return [...this.#ended];
  }

  async end(): Promise<void> {
    const outcomes = await Promise.allSettled(this.#options.rows.map((row) => this.#end(row)));
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  /** Call if the activation failed. */
  async release(): Promise<void> {
    const { registrations, rows, heldBy } = this.#options;
    for (const { id, wasDue } of rows) await registrations.release(id, heldBy, wasDue || this.#touched.has(id));
  }

  async #end(row: Registration): Promise<void> {
    const { registrations, heldBy, logger } = this.#options;
    const { id, workflowId, nodeName, name, wanted } = row;
    try {
      if (wanted) await this.#endWanted(row);
      else {
        const ended = await withRegistrationLease(registrations, { ids: [id], heldBy }, () => this.#options.end(row));
        await registrations.settle(row, heldBy, ended);
      }
    } catch (error) {
      if (isAppError(error) && error.code === 'CONFLICT') throw error;
      const message = errorMessage(error).slice(0, 1_000);
      logger.warn({ workflowId, nodeName, error: message }, 'a conflicting registration could not be removed');
      if (!wanted) await registrations.fail(row, heldBy, message);
      // Does not name the other workflow: the caller may have no access to it.
      if (name === 'hooks')
        throw new RegistrationFailedError(row.subject.node.name, 'the conflicting registration could not be removed');
    }
  }

  async #endWanted(row: Registration): Promise<void> {
    const { registrations, heldBy } = this.#options;
    this.#touched.add(row.id);
    await this.#options.end(row);
    await registrations.mergeData(row.id, row.data, {}, heldBy);
    if (row.replacement) await registrations.recordReplacement(row.id, heldBy, null);
    this.#ended.add(row.id);
  }
}
