import { SharedRead } from '@sluice/domain';
import type { Database } from './database.ts';
import { ShortCache } from './short-cache.ts';

/** Milliseconds for which an answer is kept, and how many. */
const keepMs = 1_000;
const maxAnswers = 100;

interface Known<Answer> {
  snapshot: string;
  answer: Answer;
}

/**
 * Answers again what it has just answered if nothing has changed in the database since: Postgres says so by the snapshot that a
 * statement sees, the same for as long as no transaction that writes begins or ends. Otherwise those who ask the same at the same
 * time share one read. Either way an answer is as new as if the asker had read it.
 */
export class SnapshotCache<Answer> {
  readonly #snapshot: () => Promise<string>;
  readonly #snapshots = new SharedRead<string>();
  readonly #reads = new SharedRead<Answer>();
  readonly #known = new ShortCache<Known<Answer>>({ ms: keepMs, maxEntries: maxAnswers });

  /** `snapshot`: names what a statement that begins now sees. */
  constructor(snapshot: () => Promise<string>) {
    this.#snapshot = snapshot;
  }

  /** `key` names what `read` asks for, and who may see it. Those who share an answer get the same object. */
  async get(key: string, read: () => Promise<Answer>): Promise<Answer> {
    const snapshot = await this.#snapshots.ask('', this.#snapshot);
    const known = this.#known.get(key);
    if (known?.snapshot === snapshot) return known.answer;
    const answer = await this.#reads.ask(key, read);
    this.#known.set(key, { snapshot, answer }); // read after that snapshot, so never older
    return answer;
  }
}

/** Text that differs whenever a statement might see something else. */
export async function currentSnapshot(db: Database): Promise<string> {
  const text = 'SELECT pg_current_snapshot()::text AS snapshot';
  const [row] = await db.query<{ snapshot: string }>({ name: 'current-snapshot', text, values: [] });
  return row?.snapshot ?? '';
}
