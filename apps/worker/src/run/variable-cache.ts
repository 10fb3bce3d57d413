import { ReadCache, type VariableRepository } from '@sluice/db';

const maxAgeMs = 5_000;

/** The instance's variables, read again on request once they are a few seconds old. */
export class VariableCache {
  readonly #repository: Pick<VariableRepository, 'values'>;
  readonly #reads: ReadCache<Readonly<Record<string, string>>>;

  /** `now`: monotonic clock in milliseconds. */
  constructor(repository: Pick<VariableRepository, 'values'>, now = () => performance.now()) {
    this.#repository = repository;
    this.#reads = new ReadCache({ ms: maxAgeMs, now });
  }

  /** Concurrent requests share a read; a failed one is not cached. */
  get(): Promise<Readonly<Record<string, string>>> {
    return this.#reads.get('', async () => Object.freeze(await this.#repository.values()));
  }
}
