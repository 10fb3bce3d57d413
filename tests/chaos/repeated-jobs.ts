import { setTimeout as delay } from 'node:timers/promises';
import { ExecutionQueue, type ExecutionRef, runExecution } from '@sluice/queue';
import type { Redis } from 'ioredis';
import { queryDatabase } from '../e2e/support/database.ts';

/** Pause between two jobs, in milliseconds. */
const pauseMs = 100;
/** Executions in a job, each with up to three attempts. */
const executionsPerJob = 10;

/**
 * Adds jobs with the previous, the current, and the next attempt of recent executions for
 * `durationMs`. A worker claims all attempts of a job in one statement.
 */
export async function repeatJobs(connection: Redis, databaseUrl: string, durationMs: number): Promise<void> {
  const queue = new ExecutionQueue(connection, 'sluice');
  for (let elapsedMs = 0; elapsedMs < durationMs; elapsedMs += pauseMs) {
    // Another fault may have taken Postgres or Redis down.
    await addJob(queue, databaseUrl).catch(() => undefined);
    await delay(pauseMs);
  }
}

async function addJob(queue: ExecutionQueue, databaseUrl: string): Promise<void> {
  const recent = `SELECT id, attempt FROM executions ORDER BY id DESC LIMIT ${executionsPerJob}`;
  const executions = await queryDatabase<{ id: string; attempt: number }>(databaseUrl, recent);
  const refs = executions.flatMap(({ id, attempt }): ExecutionRef[] =>
    [attempt - 1, attempt, attempt + 1].filter((each) => each > 0).map((each) => ({ executionId: id, attempt: each })),
  );
  await queue.returnToHead(runExecution.queue, refs);
}
