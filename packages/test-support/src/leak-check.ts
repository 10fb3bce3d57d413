import { eventually } from './eventually.ts';

/** Kinds of open resources that hold a process up or a service busy. */
const kinds = ['TCPSocketWrap', 'TCPServerWrap', 'PipeWrap', 'ProcessWrap', 'MessagePort', 'Timeout'];

/**
 * Notes what is open now; the function it gives rejects when more of any kind is still open some time later. Call it before the
 * arrangement of a file, and the function after everything was closed.
 */
export function watchForLeaks(): (options?: { timeoutMs?: number }) => Promise<void> {
  const before = countOpen();
  return ({ timeoutMs = 2000 } = {}) =>
    eventually(
      () => {
        const after = countOpen();
        const left = kinds.filter((kind) => (after.get(kind) ?? 0) > (before.get(kind) ?? 0));
        if (left.length > 0) throw new Error(`left open: ${left.map((kind) => `${kind} ${after.get(kind)}`).join(', ')}`);
      },
      { timeoutMs },
    );
}

function countOpen(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}
