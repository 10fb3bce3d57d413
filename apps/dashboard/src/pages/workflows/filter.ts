/** The filter of the list, as in its URL. */
export interface WorkflowFilter {
  /** Part of the name. */
  name?: string | undefined;
  /** Name of a tag. */
  tag?: string | undefined;
  projectId?: string | undefined;
  active?: 'true' | 'false' | undefined;
}

export function filterOf(search: Record<string, string | undefined>): WorkflowFilter {
  const { name, tag, projectId, active } = search;
  return { name, tag, projectId, active: active === 'true' || active === 'false' ? active : undefined };
}

export function isFiltered(filter: WorkflowFilter): boolean {
  return Object.values(filter).some(Boolean);
}

/** The earliest of some times, such as a workflow's next ticks. */
export function earliest(times: readonly (string | null)[]): string | null {
  return times.filter((time) => time !== null).toSorted()[0] ?? null;
}

/** Milliseconds between two reads of a row's triggers: each read counts for the rate limit. */
const tickRefreshMs = { least: 30_000, most: 120_000 };
/** Milliseconds after a tick until its execution has started. */
const tickMs = 2_000;

/** Milliseconds until the next tick of these triggers has passed, within `tickRefreshMs`. */
export function untilNextTick(triggers: readonly { nextRunAt: string | null }[], now: number): number {
  const next = earliest(triggers.map(({ nextRunAt }) => nextRunAt));
  const { least, most } = tickRefreshMs;
  return next === null ? most : Math.min(most, Math.max(least, Date.parse(next) + tickMs - now));
}
