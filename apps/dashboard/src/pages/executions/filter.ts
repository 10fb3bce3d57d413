import { isRange, ranges } from '../../data/time-ranges.ts';
import type { Status } from '../../ui/status-badge.tsx';

/** Filter of the list, as in the URL. */
export interface ExecutionFilter {
  /** Comma-separated. */
  status?: string | undefined;
  workflowId?: string | undefined;
  projectId?: string | undefined;
  mode?: string | undefined;
  /** One of `ranges`. */
  range?: string | undefined;
  /** ISO 8601; in place of a range. */
  after?: string | undefined;
  before?: string | undefined;
}

export const modes = ['manual', 'trigger', 'webhook', 'retry'] as const;
type Mode = (typeof modes)[number];

const names = ['status', 'workflowId', 'projectId', 'mode', 'range', 'after', 'before'] as const;

export function parseFilter(search: Record<string, string | undefined>): ExecutionFilter {
  const entries = names.flatMap((name) => (search[name] ? [[name, search[name]]] : []));
  return Object.fromEntries(entries);
}

export function isFiltered(filter: ExecutionFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

export function statusesOf({ status }: ExecutionFilter): Status[] {
  return status === undefined ? [] : (status.split(',') as Status[]);
}

/** Adds or removes a status. */
export function toggleStatus(filter: ExecutionFilter, status: Status): ExecutionFilter {
  const before = statusesOf(filter);
  const after = before.includes(status) ? before.filter((other) => other !== status) : [...before, status];
  return { ...filter, status: after.length === 0 ? undefined : after.join(',') };
}

/** Query of the API. Ranges begin at a full minute: the same filter stays the same query. */
export function toQuery(filter: ExecutionFilter, now: number) {
  const range = isRange(filter.range) ? ranges[filter.range] : undefined;
  const since = range && new Date(Math.floor((now - range.ms) / 60_000) * 60_000).toISOString();
  const startedAfter = filter.after ?? since;
  return {
    ...(filter.status && { status: filter.status }),
    ...(filter.workflowId && { workflowId: filter.workflowId }),
    ...(filter.projectId && { projectId: filter.projectId }),
    ...(isMode(filter.mode) && { mode: filter.mode }),
    ...(startedAfter && { startedAfter }),
    ...(filter.before && { startedBefore: filter.before }),
  };
}

export type ExecutionQuery = ReturnType<typeof toQuery>;

function isMode(text: string | undefined): text is Mode {
  return modes.includes(text as Mode);
}
