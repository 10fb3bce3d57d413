import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { eventually } from '@sluice/test-support';
import { queryDatabase } from '../../e2e/support/database.ts';
import { type Caller, startRun } from '../../e2e/support/runs.ts';

const parallel = 4;
const pauseMs = 20;

/**
 * Clients that start a workflow repeatedly, each at its own API process, even while starts fail. A
 * start is accepted if its response contains an execution ID.
 */
export class Load {
  readonly accepted: string[] = [];
  readonly #stopping = new AbortController();
  readonly #clients: Promise<unknown>;
  readonly #callers: readonly Caller[];
  refused = 0;

  constructor(callers: readonly Caller[], workflowId: string) {
    this.#callers = callers;
    this.#clients = Promise.all(
      Array.from({ length: parallel }, (_, i) => this.#startRepeatedly(callers[i % callers.length] as Caller, workflowId)),
    );
  }

  /** Waits until `count` more starts have been accepted. */
  async more(count: number): Promise<void> {
    const target = this.accepted.length + count;
    await eventually(() => this.accepted.length >= target, { timeoutMs: 90_000 });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#clients;
  }

  /**
   * Stops the load and waits until every accepted execution has ended. Resolves to the number of
   * executions by status.
   */
  async outcomes(): Promise<Record<string, number>> {
    await this.stop();
    const [caller] = this.#callers;
    return eventually(
      async () => {
        const counts: Record<string, number> = {};
        for (const id of this.accepted) {
          const { status, body } = (await caller?.call('GET', `/executions/${id}`)) ?? {};
          const state = status === 200 ? body.status : `HTTP ${status}`;
          counts[state] = (counts[state] ?? 0) + 1;
        }
        if (['new', 'running', 'waiting'].some((state) => counts[state]))
          throw new Error(`in progress: ${JSON.stringify(counts)}`);
        return counts;
      },
      { timeoutMs: 90_000 },
    );
  }

  async #startRepeatedly(caller: Caller, workflowId: string): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        this.accepted.push(await startRun(caller, workflowId));
      } catch {
        this.refused += 1;
      }
      await delay(pauseMs);
    }
  }
}

/**
 * Waits until every execution in the database has succeeded with one effect, including executions
 * that were committed without a response.
 */
export async function untilAllSucceeded(databaseUrl: string, effects: () => number): Promise<void> {
  await eventually(async () => {
    const query = 'SELECT status, count(*)::int FROM executions GROUP BY status';
    expect(await queryDatabase(databaseUrl, query)).toEqual([{ status: 'success', count: effects() }]);
  });
}
