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

/** The first of some times, such as the next ticks of a workflow. */
export function earliest(times: readonly (string | null)[]): string | null {
  return times.filter((time) => time !== null).toSorted()[0] ?? null;
}
