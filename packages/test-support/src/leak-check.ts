import { createHook } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { eventually } from './eventually.ts';

/** Kinds of open resources, besides timers, that hold a process up or a service busy. */
const kinds = ['TCPSocketWrap', 'TCPServerWrap', 'PipeWrap', 'ProcessWrap', 'MessagePort'];

/**
 * Notes what is open now; the function it gives rejects when more of any kind, or a timer that was set since then, is still open some
 * time later. Call it before the arrangement of a file, and the function after everything was closed.
 */
export function watchForLeaks(): (options?: { timeoutMs?: number }) => Promise<void> {
  const before = countOpen();
  const openTimers = watchTimers();
  return ({ timeoutMs = 30_000 } = {}) =>
    eventually(
      async () => {
        await nextTurn(); // a timer that has just fired is gone by then
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

function countOpen(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/**
 * The function it gives tells where each timer was set that has been since then and holds the process up. A count of all timers would
 * not do: Jest has its own, for the limit of each hook and, where it runs tests in its main process, for its display.
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

/** The first line of a stack that is neither ours nor of Node. */
function placeIn({ stack = '' }: Error): string {
  const lines = stack.split('\n').slice(2);
  return lines.find((line) => !line.includes('node:'))?.trim() ?? 'unknown';
}
