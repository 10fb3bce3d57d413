import { userKeyed, ValidationError } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import { inTransaction } from '../statements/in-transaction.ts';
import { touchedIn } from '../statements/touched.ts';
import type { Tables } from '../tables/tables.ts';

export interface Variable {
  key: string;
  value: string;
}

const maxValueLength = 1_000;

/** The instance's variables, which expressions read as `$vars`. */
export class VariableRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Sorted by key. */
  async list(): Promise<Variable[]> {
    return this.#db.selectFrom('variables').select(['key', 'value']).orderBy('key').execute();
  }

  /** Values by key, as expressions read them. */
  async values(): Promise<Record<string, string>> {
    return userKeyed((await this.list()).map(({ key, value }) => [key, value] as const));
  }

  /** Creates a variable or changes its value. Throws `ValidationError`. */
  async set(key: string, value: string): Promise<Variable> {
    if (!/^[A-Za-z_]\w{0,49}$/.test(key)) {
      throw new ValidationError('a key has 1 to 50 letters, digits and "_", and does not begin with a digit', '/key');
    }
    if (value.length > maxValueLength || value.includes('\0')) {
      throw new ValidationError(`a value has at most ${maxValueLength} characters, and no NUL`, '/value');
    }
    return inTransaction(this.#db, async (tx) => {
      await sql`INSERT INTO variables (key, value) VALUES (${key}, ${value})
        ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = ${touchedIn('variables')}`.execute(tx);
      return { key, value };
    });
  }

  /** Resolves to whether it existed. */
  async delete(key: string): Promise<boolean> {
    const deleted = await inTransaction(this.#db, async (tx) => {
      const row = await tx.deleteFrom('variables').where('key', '=', key).returning('key').executeTakeFirst();
      return row;
    });
    return deleted !== undefined;
  }
}
