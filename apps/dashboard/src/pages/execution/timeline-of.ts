import { outputItems, type RunData } from '../../data/run-data.ts';
import { failedTriesOf } from './failed-tries.ts';

/** A node run in the timeline. */
export interface TimelineBar {
  name: string;
  runIndex: number;
  status: 'success' | 'error' | 'waiting';
  /** Milliseconds since the epoch. */
  startTime: number;
  durationMs: number;
  items: number;
  /** Whether it is a use of a sub-node, within the run of another node. */
  isSub: boolean;
  /** Shares of the total time, 0 to 1. */
  start: number;
  width: number;
  /** Tries before the last try. */
  failedTries: { start: number; width: number; message: string }[];
}

export interface Timeline {
  bars: TimelineBar[];
  /** Milliseconds from the start of the execution to its end, or to now. */
  spanMs: number;
}

interface TimelineScope {
  /** Milliseconds since the epoch. */
  from: number;
  to: number;
  /** The run that waits, which `runData` does not have yet. */
  waiting?: { node: string; startTime: number } | undefined;
}

/** Node runs in the order of their start. */
export function timelineOf(runData: RunData, { from, to, waiting }: TimelineScope): Timeline {
  const runs = Object.entries(runData).flatMap(([name, list]) => list.map((run, runIndex) => ({ name, run, runIndex })));
  const first = runs.reduce((least, { run }) => Math.min(least, run.startTime), from);
  const last = runs.reduce((most, { run }) => Math.max(most, run.startTime + run.executionTime), to);
  const spanMs = Math.max(1, last - first);
  const share = (startTime: number, durationMs: number) => ({
    start: (startTime - first) / spanMs,
    width: durationMs / spanMs,
  });
  const bars: TimelineBar[] = runs.map(({ name, run, runIndex }) => ({
    name,
    runIndex,
    status: run.executionStatus,
    startTime: run.startTime,
    durationMs: run.executionTime,
    items: outputItems(run).length,
    isSub: run.inputOverride !== undefined,
    ...share(run.startTime, run.executionTime),
    failedTries: failedTriesOf(run).map(({ startTime, executionTime, message }) => ({
      ...share(startTime, executionTime),
      message,
    })),
  }));
  if (waiting) {
    const { node: name, startTime } = waiting;
    const durationMs = Math.max(0, last - startTime);
    const run = { name, runIndex: runData[name]?.length ?? 0, status: 'waiting', startTime, durationMs } as const;
    bars.push({ ...run, items: 0, isSub: false, ...share(startTime, durationMs), failedTries: [] });
  }
  return { bars: bars.sort((a, b) => a.startTime - b.startTime || a.runIndex - b.runIndex), spanMs };
}
