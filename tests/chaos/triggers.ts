import { inputsOf } from './stored.ts';
import { scheduleSeconds } from './workflows.ts';

/** Findings about a schedule or a poll. */
interface TriggerFindings {
  missed: string[];
  duplicated: string[];
}

/** Checks that every tick from the first to the deactivation has one execution. */
export async function auditSchedule(databaseUrl: string, workflowId: string, deactivatedAt: number): Promise<TriggerFindings> {
  const inputs = await inputsOf(databaseUrl, workflowId);
  const ticks = inputs.map(({ items }) => Date.parse(String(items[0]?.['timestamp'])));
  const stepMs = scheduleSeconds * 1_000;
  const expected: number[] = [];
  // The deactivation may have prevented the last tick before it.
  for (let tick = ticks[0] ?? Number.POSITIVE_INFINITY; tick < deactivatedAt - stepMs; tick += stepMs) expected.push(tick);
  return compare(ticks, expected, (tick) => `tick ${new Date(tick).toISOString()}`);
}

/** Checks that every entry of the feed is in one execution. */
export async function auditPoll(databaseUrl: string, workflowId: string, entries: readonly string[]): Promise<TriggerFindings> {
  const inputs = await inputsOf(databaseUrl, workflowId);
  const titles = inputs.flatMap(({ items }) => items.map(({ title }) => String(title)));
  return compare(titles, entries, (title) => `${title} in the feed`);
}

function compare<T>(actual: readonly T[], expected: readonly T[], describe: (value: T) => string): TriggerFindings {
  const seen = new Set(actual);
  const counts = Map.groupBy(actual, (value) => value);
  return {
    missed: expected.filter((value) => !seen.has(value)).map(describe),
    duplicated: [...counts].filter(([, values]) => values.length > 1).map(([value]) => `${describe(value)}, twice`),
  };
}
