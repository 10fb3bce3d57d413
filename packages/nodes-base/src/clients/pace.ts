import { performance } from 'node:perf_hooks';

/** Milliseconds of one turn of the event loop after which no more tasks start in it. */
const turnMs = 20;

/** Tasks that one turn may run for a single caller. */
const tasksPerTurn = 8;

/** Tasks that wait, in order. */
const waiting = new Set<() => void>();
/** Number of scheduled calls of `runNext`, each for one task. */
let scheduled = 0;
/** When the first task of this turn started. */
let turnStart: number | undefined;

/**
 * Runs the task soon, in the order of the calls; a task that waits already keeps its place. All
 * tasks of the process together use little of each turn of the event loop: once `turnMs` have
 * passed, the others wait for the next turn. Each is an immediate of its own, so that what it
 * causes with promises and `nextTick` counts, too.
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
