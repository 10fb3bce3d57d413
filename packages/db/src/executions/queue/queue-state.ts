import type { Database } from '../../connection/database.ts';
import { isQueued } from './queued-execution-repository.ts';

/** Maximum count; the exact number does not matter above it. */
const maxLiveCount = 10_000;
/** Number of executions searched for the oldest that is not blocked by a limit. */
const maxSearched = 1_000;
/** Number of projects with a queue whose oldest execution is looked up. */
const maxProjects = 500;
/** Number of projects in the result. */
const maxListed = 20;

type LiveStatus = 'new' | 'running' | 'waiting';

/** Executions of the installation that have not ended, and the workers that run them. */
export interface QueueState {
  /** Executions by status, each counted up to 10,000. */
  counts: Record<LiveStatus, number>;
  /**
   * Seconds since the oldest execution of a status was created (`new`, unless a limit blocks it),
   * started (`running`), or began to wait (`waiting`); null without such executions.
   */
  oldest: Record<LiveStatus, number | null>;
  /**
   * For the 20 projects with the oldest queued executions: seconds since that execution was
   * created.
   */
  oldestByProject: { projectId: string; seconds: number }[];
  /** Workers whose lease has not expired. */
  workers: number;
}

const countOf = (status: LiveStatus) =>
  `(SELECT count(*) FROM (SELECT FROM executions WHERE status = '${status}' LIMIT ${maxLiveCount}) AS few)::int`;
const secondsSince = (instant: string) => `extract(epoch FROM now() - ${instant})::float8`;
// The limit inside bounds the search; executions of one status are read in the order of an index.
const oldestNew = (where: string) => `(SELECT ${secondsSince('created_at')} FROM (
  SELECT created_at, queued_at FROM executions WHERE ${where} AND status = 'new' ORDER BY id LIMIT ${maxSearched}) AS first
  WHERE queued_at < 'infinity' LIMIT 1)`;

const totalsText = `SELECT ${countOf('new')} AS "newCount", ${countOf('running')} AS "runningCount", ${countOf('waiting')} AS "waitingCount",
  ${oldestNew('true')} AS "newSeconds",
  (SELECT ${secondsSince('min(started_at)')} FROM (
    SELECT started_at FROM executions WHERE status = 'running' ORDER BY id LIMIT ${maxSearched}) AS first) AS "runningSeconds",
  (SELECT ${secondsSince('queued_at')} FROM executions WHERE status = 'waiting' ORDER BY queued_at LIMIT 1) AS "waitingSeconds",
  (SELECT count(*) FROM workers WHERE lease_expires_at > now())::int AS workers`;

// One index lookup per project with a queue, and one for its oldest execution.
const projectsText = `WITH RECURSIVE queued AS (
  (SELECT project_id FROM executions e WHERE ${isQueued('e')} ORDER BY project_id LIMIT 1)
  UNION ALL
  SELECT next.project_id FROM queued CROSS JOIN LATERAL (
    SELECT e.project_id FROM executions e WHERE ${isQueued('e')} AND e.project_id > queued.project_id ORDER BY e.project_id LIMIT 1) AS next
), some_projects AS (SELECT project_id FROM queued LIMIT ${maxProjects})
SELECT project_id AS "projectId", seconds FROM (
  SELECT project_id, ${oldestNew('project_id = some_projects.project_id')} AS seconds FROM some_projects) AS aged
WHERE seconds IS NOT NULL ORDER BY seconds DESC LIMIT ${maxListed}`;

interface TotalsRow {
  newCount: number;
  runningCount: number;
  waitingCount: number;
  newSeconds: number | null;
  runningSeconds: number | null;
  waitingSeconds: number | null;
  workers: number;
  [column: string]: unknown;
}

/** Reads a limited number of index entries, regardless of the number of executions. */
export async function readQueueState(db: Database): Promise<QueueState> {
  const [totals] = await db.query<TotalsRow>({ name: 'queue-state', text: totalsText, values: [] });
  const oldestByProject = await db.query<QueueState['oldestByProject'][number]>({
    name: 'queue-state-of-projects',
    text: projectsText,
    values: [],
  });
  if (!totals) throw new TypeError('the state of the queue has one row');
  return {
    counts: { new: totals.newCount, running: totals.runningCount, waiting: totals.waitingCount },
    oldest: { new: totals.newSeconds, running: totals.runningSeconds, waiting: totals.waitingSeconds },
    oldestByProject,
    workers: totals.workers,
  };
}
