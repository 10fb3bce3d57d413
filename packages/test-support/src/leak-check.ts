import { createHook } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { eventually } from './eventually.ts';

/** Kinds of open resources, besides timers, that keep a process alive or a service busy. */
const kinds = ['TCPSocketWrap', 'TCPServerWrap', 'PipeWrap', 'ProcessWrap', 'MessagePort'];

/**
 * Records what is open now. The returned function rejects if, some time later, more of any kind, or
 * a timer that was set since then, is still open. Call it before the setup of a file, and the
 * function after everything was closed.
 */
export function watchForLeaks(): (options?: { timeoutMs?: number }) => Promise<void> {
  openOutputs();
  const before = countOpen();
  const openTimers = watchTimers();
  return ({ timeoutMs = 30_000 } = {}) =>
    eventually(
      async () => {
        await nextTurn(); // a timer that has just fired is removed by then
        const after = countOpen();
        const left = kinds.flatMap((kind) => {
          const more = (after.get(kind) ?? 0) - (before.get(kind) ?? 0);
          return more > 0 ? [`${kind} ${more}`] : [];
        });
        const timers = openTimers();
        if (timers.length > 0) left.push(`Timeout ${timers.length} (${timers.join('; ')})`);
        if (left.length > 0) throw new Error(`left open: ${left.join(', ')}`);
      },
      { timeoutMs },
    );
}

/** Node opens the outputs of the process at their first use, such as a warning; in a worker of Jest they are pipes. */
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
 * The returned function lists where each timer was set that has been set since then and keeps the
 * process alive. Counting timers would not work: Jest has its own, for the timeout of each hook
 * and, if it runs tests in its main process, for its display.
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

/** The first line of a stack that belongs neither to this file nor to Node. */
function placeIn({ stack = '' }: Error): string {
  const lines = stack.split('\n').slice(2);
  return lines.find((line) => !line.includes('node:'))?.trim() ?? 'unknown';
}
