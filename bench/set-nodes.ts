import { Agent } from 'node:http';
import type { Item } from '@sluice/domain';
import { sql } from 'kysely';
import type { Measurement } from './bench.ts';
import { chain, setNode } from './engine-cases.ts';
import { call } from './fleet.ts';
import { median } from './statistics.ts';

const expressions = {
  plain: '={{ $json.name }}',
  hostCall: '={{ $json.name.trim() }}',
  guestCall: '={{ $json.name.replace(/a(?!b)/g, "b") }}',
  luxon: '={{ DateTime.fromISO($json.at).plus({ days: 1 }).toISO() }}',
};

interface Case {
  expression: keyof typeof expressions;
  items: number;
  /** Runs in each round. */
  runs: number;
}

const cases: readonly Case[] = [
  { expression: 'plain', items: 1, runs: 20 },
  { expression: 'plain', items: 1_000, runs: 3 },
  { expression: 'hostCall', items: 1, runs: 20 },
  { expression: 'hostCall', items: 1_000, runs: 3 },
  { expression: 'guestCall', items: 1, runs: 20 },
  { expression: 'guestCall', items: 1_000, runs: 3 },
  { expression: 'luxon', items: 1_000, runs: 1 },
];

/**
 * Runs workflows with 100 set nodes through `POST /workflows/:id/run`, one at a time; all data is
 * saved. Each node adds a field to its items. For each expression and number of items, reports the
 * median milliseconds from the request to the end of the response, which contains the data of all
 * nodes (`<expression><items>Ms`), and from the start to the end of the execution, by the
 * database's clock (`<expression><items>RunMs`).
 */
export const measureSetNodes: Measurement = async ({ fleet, quick }) => {
  const agent = new Agent({ keepAlive: true });
  const create = async ({ expression, items }: Case) => {
    const workflow = { ...chain(100, items, setNode(expressions[expression])), pinData: { Trigger: itemsOf(items) } };
    const { id } = await fleet.call<{ id: string }>('POST', '/api/v1/workflows', workflow);
    return id;
  };
  const timeRun = async (id: string) => {
    const startedAt = performance.now();
    await call(fleet.port, 'POST', `/api/v1/workflows/${id}/run`, {}, agent);
    const ms = performance.now() - startedAt;
    const { rows } = await sql<{ status: string; reason: string; ms: number }>`
      SELECT status, error ->> 'message' AS reason, extract(epoch FROM stopped_at - started_at)::float8 * 1000 AS ms FROM executions
      WHERE workflow_id = ${id} ORDER BY id DESC LIMIT 1`.execute(fleet.db.kysely);
    if (rows[0]?.status !== 'success') throw new Error(`an execution ended with status ${rows[0]?.status}: ${rows[0]?.reason}`);
    return { ms, runMs: rows[0].ms };
  };

  const workflows = await Promise.all(cases.map(async (setCase) => ({ ...setCase, id: await create(setCase) })));
  for (const { id } of workflows) await timeRun(id); // warm-up
  return async () => {
    const figures: Record<string, number> = {};
    for (const { expression, items, runs, id } of workflows) {
      const timings = [];
      for (let i = 0; i < (quick ? runs / 5 : runs); i += 1) timings.push(await timeRun(id));
      figures[`${expression}${items}Ms`] = median(timings.map(({ ms }) => ms));
      figures[`${expression}${items}RunMs`] = median(timings.map(({ runMs }) => runMs));
    }
    return figures;
  };
};

function itemsOf(count: number): Item[] {
  return Array.from({ length: count }, (_, n) => ({ json: { n, name: ` a name ${n} `, at: '2026-01-15T10:00:00Z' } }));
}
