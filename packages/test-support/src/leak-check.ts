import { createHook } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { eventually } from './eventually.ts';

/** Kinds of resources, besides timers, that keep a process alive or a server busy. */
const kinds = ['TCPSocketWrap', 'TCPServerWrap', 'PipeWrap', 'ProcessWrap', 'MessagePort'];

/**
 * Records what is open now. The returned function rejects if more resources of a kind, or timers
 * that were set since, are still open after the timeout. Call `watchForLeaks` before the setup of a
 * file, and the function after the cleanup.
 */
export function watchForLeaks(): (options?: { timeoutMs?: number }) => Promise<void> {
  openOutputs();
  const before = countOpen();
  const openTimers = watchTimers();
  return ({ timeoutMs = 30_000 } = {}) =>
    eventually(
      async () => {
        await nextTurn(); // lets a timer that has just fired be removed
        const after = countOpen();
        const leaks = kinds.flatMap((kind) => {
          const more = (after.get(kind) ?? 0) - (before.get(kind) ?? 0);
          return more > 0 ? [`${kind} ${more}`] : [];
        });
        const timers = openTimers();
        if (timers.length > 0) leaks.push(`Timeout ${timers.length} (${timers.join('; ')})`);
        if (leaks.length > 0) throw new Error(`left open: ${leaks.join(', ')}`);
      },
      { timeoutMs },
    );
}

/**
 * Opens the output streams now. Node opens them on first use, such as a warning, and in a Jest
 * worker they are pipes.
 */
function openOutputs(): void {
  void process.stdout;
  void process.stderr;
}

function countOpen(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/**
 * The returned function lists the locations where timers that keep the process alive were set
 * since. Counting timers would not work: Jest sets its own for hook timeouts and, if it runs tests
 * in its main process, for its display.
 */
function watchTimers(): () => string[] {
  const set = new Map<number, { timer: NodeJS.Timeout; place: Error }>();
  createHook({
    init(id, type, _trigger, resource) {
      if (type === 'Timeout') set.set(id, { timer: resource as NodeJS.Timeout, place: new Error('set here') });
    },
    destroy: (id) => void set.delete(id),
  }).enable();
  return () => {
    const places = [...set.values()].flatMap(({ timer, place }) => (timer.hasRef() ? [placeIn(place)] : []));
    return places.filter((place) => !/[/\\]node_modules[/\\](@jest[/\\]|jest-)/.test(place));
  };
}

/** The first stack frame outside of this file and Node. */
function placeIn({ stack = '' }: Error): string {
  const lines = stack.split('\n').slice(2);
  return lines.find((line) => !line.includes('node:'))?.trim() ?? 'unknown';
}
