import type { VariableRepository } from '@sluice/db';
import { userKeyed } from '@sluice/domain';

const maxAgeMs = 5_000;

/** The instance's variables, read again on request once they are a few seconds old. */
export class VariableCache {
  readonly #repository: Pick<VariableRepository, 'list'>;
  readonly #now: () => number;
  #reading: { variables: Promise<Readonly<Record<string, string>>>; until: number } | undefined;

  /** `now`: monotonic clock in milliseconds. */
  constructor(repository: Pick<VariableRepository, 'list'>, now = () => performance.now()) {
    this.#repository = repository;
    this.#now = now;
  }

  /** Concurrent requests share a read; a failed one is not cached. */
  get(): Promise<Readonly<Record<string, string>>> {
    const latest = this.#reading;
    if (latest && latest.until > this.#now()) return latest.variables;
    const variables = this.#read();
    const reading = { variables, until: this.#now() + maxAgeMs };
    this.#reading = reading;
    variables.catch(() => {
      if (this.#reading === reading) this.#reading = undefined;
    });
    return variables;
  }

  async #read(): Promise<Readonly<Record<string, string>>> {
    const variables = await this.#repository.list();
    return Object.freeze(userKeyed(variables.map(({ key, value }) => [key, value] as const)));
  }
}
