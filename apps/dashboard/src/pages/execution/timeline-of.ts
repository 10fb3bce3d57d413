import { countItems, type RunData } from './node-states.ts';

/** A node run in the timeline. */
export interface TimelineBar {
  name: string;
  runIndex: number;
  status: 'success' | 'error' | 'running';
  /** Milliseconds since the epoch. */
  startTime: number;
  durationMs: number;
  items: number;
  /** Whether it is a use of a sub-node, within the run of another node. */
  isSub: boolean;
  /** Shares of the whole time, 0 to 1. */
  start: number;
  width: number;
}

export interface Timeline {
  bars: TimelineBar[];
  /** Milliseconds from the start of the execution to its end, or to now. */
  spanMs: number;
}

/** Node runs in the order of their start. @param from, to milliseconds since the epoch */
export function timelineOf(runData: RunData, { from, to }: { from: number; to: number }): Timeline {
  const runs = Object.entries(runData).flatMap(([name, list]) => list.map((run, runIndex) => ({ name, run, runIndex })));
  const first = runs.reduce((least, { run }) => Math.min(least, run.startTime), from);
  const last = runs.reduce((most, { run }) => Math.max(most, run.startTime + run.executionTime), to);
  const spanMs = Math.max(1, last - first);
  const bars = runs.map(({ name, run, runIndex }) => ({
    name,
    runIndex,
    status: run.executionStatus,
    startTime: run.startTime,
    durationMs: run.executionTime,
    items: countItems(run),
    isSub: run.inputOverride !== undefined,
    start: (run.startTime - first) / spanMs,
    width: run.executionTime / spanMs,
  }));
  return { bars: bars.sort((a, b) => a.startTime - b.startTime || a.runIndex - b.runIndex), spanMs };
}
