import type { Database } from '../database.ts';

/** Counting stops here; the exact number does not matter above it. */
const maxLiveCount = 10_000;

export type LiveCounts = Record<'new' | 'running' | 'waiting', number>;

const countOf = (status: keyof LiveCounts) =>
  `(SELECT count(*) FROM (SELECT FROM executions WHERE status = '${status}' LIMIT ${maxLiveCount}) AS few)::int AS "${status}"`;
const text = `SELECT ${countOf('new')}, ${countOf('running')}, ${countOf('waiting')}`;

/**
 * How many executions have not ended, by status, each up to 10,000, which bounds the index entries
 * read.
 */
export async function countLive(db: Database): Promise<LiveCounts> {
  const [counts] = await db.query<LiveCounts>({ name: 'count-live', text, values: [] });
  return counts ?? { new: 0, running: 0, waiting: 0 };
}
