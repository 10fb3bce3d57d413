import { inputsOf } from './stored.ts';
import { scheduleSeconds } from './workflows.ts';

/** Findings about a schedule and a poll. */
interface TriggerFindings {
  missed: string[];
  doubled: string[];
}

/** Every tick from the first one to the deactivation has one execution. */
export async function auditSchedule(databaseUrl: string, workflowId: string, deactivatedAt: number): Promise<TriggerFindings> {
  const inputs = await inputsOf(databaseUrl, workflowId);
  const ticks = inputs.map(({ items }) => Date.parse(String(items[0]?.['timestamp'])));
  const stepMs = scheduleSeconds * 1_000;
  const wanted: number[] = [];
  // The last tick before the deactivation may have been refused by it.
  for (let tick = ticks[0] ?? Number.POSITIVE_INFINITY; tick < deactivatedAt - stepMs; tick += stepMs) wanted.push(tick);
  return compare(ticks, wanted, (tick) => `tick ${new Date(tick).toISOString()}`);
}

/** Every entry of the feed is in one execution. */
export async function auditPoll(databaseUrl: string, workflowId: string, entries: readonly string[]): Promise<TriggerFindings> {
  const inputs = await inputsOf(databaseUrl, workflowId);
  const titles = inputs.flatMap(({ items }) => items.map(({ title }) => String(title)));
  return compare(titles, entries, (title) => `${title} of the feed`);
}

function compare<T>(found: readonly T[], wanted: readonly T[], describe: (value: T) => string): TriggerFindings {
  const seen = new Set(found);
  const counts = Map.groupBy(found, (value) => value);
  return {
    missed: wanted.filter((value) => !seen.has(value)).map(describe),
    doubled: [...counts].filter(([, values]) => values.length > 1).map(([value]) => `${describe(value)}, twice`),
  };
}
