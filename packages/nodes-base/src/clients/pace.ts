import { performance } from 'node:perf_hooks';

/** Time after which no more tasks start in one turn of the event loop, in milliseconds. */
const turnMs = 20;

/** Maximum number of tasks that one caller may run in a turn. */
const tasksPerTurn = 8;

/** Pending tasks, in order. */
const waiting = new Set<() => void>();
/** Number of scheduled calls of `runNext`, each for one task. */
let scheduled = 0;
/** Start time of this turn's first task. */
let turnStart: number | undefined;

/**
 * Runs the task soon, in the order of the calls; a pending task keeps its place. All tasks of the
 * process together use little of each turn of the event loop: once `turnMs` have passed, the others
 * wait for the next turn. Each task is a separate immediate, so the work that it triggers through
 * promises and `nextTick` counts, too.
 */
export function atPace(task: () => void): void {
  waiting.add(task);
  while (scheduled < Math.max(tasksPerTurn, waiting.size)) schedule();
}

function schedule(): void {
  scheduled++;
  setImmediate(runNext);
}

function runNext(): void {
  scheduled--;
  const [task] = waiting;
  if (task === undefined) return;
  if (isTurnSpent()) {
    schedule();
  } else {
    waiting.delete(task);
    task();
  }
}

function isTurnSpent(): boolean {
  if (turnStart !== undefined) return performance.now() - turnStart >= turnMs;
  turnStart = performance.now();
  setImmediate(() => {
    turnStart = undefined;
  });
  return false;
}
