import { sql } from 'kysely';
import { type Fleet, inParallel } from './fleet.ts';
import { cpuMsOfAll } from './processes.ts';
import { percentile, round } from './statistics.ts';

interface DueWaitsOptions {
  waits: number;
  /** Period in which they become due, at equal intervals. */
  windowMs: number;
}

const connections = 16;
const warmUps = 500;
/** A longer wait is stored and does not occupy a worker. */
const shortestMs = 5_000;

interface Waiting {
  executionId: string;
  /** Milliseconds since the epoch. */
  dueAt: number;
}

/**
 * Milliseconds from the due time of a wait to the start of the next node, as recorded by the worker
 * that resumes it: webhook → wait → set; all data is saved. Starts all executions before the
 * window, so that all are waiting when it begins. `cpuMsPerWait`: CPU time of all processes from
 * then on. Throws if an execution did not wait, failed, or resumed twice.
 */
export async function measureDueWaits(fleet: Fleet, { waits, windowMs }: DueWaitsOptions): Promise<object> {
  await fleet.activate(workflow);
  const perWaitMs = await warmUp(fleet);
  const startedAt = Date.now();
  const windowStartsAt = startedAt + shortestMs + waits * perWaitMs * 2;
  const started = await start(fleet, waits, (i) => windowStartsAt + (i * windowMs) / waits);
  await allWait(fleet);
  const startedPerSecond = round((waits * 1_000) / (Date.now() - startedAt), 0);
  const cpuBefore = cpuMsOfAll();
  if (Date.now() > windowStartsAt) throw new Error(`the first wait was due before all ${waits} executions were waiting`);
  await fleet.allEnded(500);
  const cpuMsPerWait = round((cpuMsOfAll() - cpuBefore) / waits);
  const late = await latenessOf(fleet, started);
  const at = (share: number) => round(percentile(late, share), 0);
  return {
    waits,
    windowMs,
    workers: fleet.workers.length,
    startedPerSecond,
    cpuMsPerWait,
    lateMs: { p50: at(0.5), p99: at(0.99), max: at(1) },
  };
}

/** Resolves to the milliseconds that starting one wait takes. */
async function warmUp(fleet: Fleet): Promise<number> {
  const startedAt = Date.now();
  await start(fleet, warmUps, () => startedAt + 10 * shortestMs);
  await allWait(fleet);
  const takenMs = Date.now() - startedAt;
  await sql`UPDATE executions SET resume_at = now() WHERE status = 'waiting'`.execute(fleet.db.kysely);
  await fleet.allEnded(100);
  return takenMs / warmUps;
}

async function start(fleet: Fleet, count: number, dueAt: (i: number) => number): Promise<Waiting[]> {
  const started: Waiting[] = [];
  await inParallel(connections, count, async (i, agent) => {
    const at = Math.round(dueAt(i));
    const body = { at: new Date(at).toISOString() };
    const { executionId } = await fleet.call<{ executionId: string }>('POST', '/webhook/wait', body, agent);
    started.push({ executionId, dueAt: at });
  });
  return started;
}

async function allWait({ db }: Fleet): Promise<void> {
  const others = db.kysely.selectFrom('executions').select('id').where('status', 'in', ['new', 'running']).limit(1);
  while (await others.executeTakeFirst()) await new Promise((resolve) => setTimeout(resolve, 50));
}

async function latenessOf({ db }: Fleet, started: readonly Waiting[]): Promise<number[]> {
  const { rows } = await sql<{ id: string; startTime: string }>`
    SELECT e.id, min(r.start_time) AS "startTime" FROM executions e JOIN node_runs r ON r.execution_id = e.id
    WHERE e.status = 'success' AND e.attempt = 2 AND r.node_name = 'Set' AND e.id >= ${started[0]?.executionId}
    GROUP BY e.id HAVING count(*) = 1`.execute(db.kysely);
  const startTimes = new Map(rows.map(({ id, startTime }) => [id, Number(startTime)]));
  return started.map(({ executionId, dueAt }) => {
    const startTime = startTimes.get(executionId);
    if (startTime === undefined) throw new Error(`execution ${executionId} did not resume as expected`);
    return startTime - dueAt;
  });
}

const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });

const workflow = {
  name: 'Waits',
  nodes: [
    {
      name: 'Webhook',
      type: 'base.webhook',
      typeVersion: 2,
      position: [0, 0],
      parameters: { path: 'wait', httpMethod: 'POST', responseMode: 'onReceived' },
    },
    {
      name: 'Wait',
      type: 'base.wait',
      typeVersion: 1.1,
      position: [200, 0],
      parameters: { resume: 'specificTime', dateTime: '={{ $json.body.at }}' },
    },
    {
      name: 'Set',
      type: 'base.set',
      typeVersion: 3.4,
      position: [400, 0],
      parameters: { mode: 'raw', jsonOutput: '={{ { was: $json.body.at } }}' },
    },
  ],
  connections: { Webhook: to('Wait'), Wait: to('Set') },
  settings: {},
};
