import { useEffect } from 'react';
import { followEvents, type ServerEvent } from './events.ts';
import { queryClient } from './query-client.ts';
import { createStore, useStore } from './store.ts';
import { throttle } from './throttle.ts';

/** Milliseconds between two reads: rate limits count them, and statistics are kept for 2 s. */
const listMs = 1_000;
const statisticsMs = 2_000;
/** Maximum number of workflow rows read together, at the interval of the statistics. */
const maxRows = 5;
/** Milliseconds between reads while events arrive: for changes without events, such as tags. */
const safetyMs = 30_000;

/** Whether changes of executions arrive as events. Otherwise lists poll. */
const isLive = createStore(false);

// Hidden queries are only marked, and read when they are shown.
const refresh = (...queryKey: readonly string[]) => void queryClient.invalidateQueries({ queryKey });
const refreshLists = throttle(listMs, () => refresh('executions', 'newest'));
const refreshStatistics = throttle(statisticsMs, () => {
  refresh('statistics');
  refresh('queue');
});

/** Workflows whose last execution has changed since it was read. */
const changedWorkflows = new Set<string>();
const refreshRows = throttle(statisticsMs, () => {
  for (const id of [...changedWorkflows].slice(0, maxRows)) {
    changedWorkflows.delete(id);
    refresh('executions', 'last', id);
  }
  if (changedWorkflows.size > 0) refreshRows();
});

/** The first event of a stream names no executions; earlier changes are read as well. */
function onEvent({ event, data }: ServerEvent): void {
  if (event !== 'executions') return;
  const { executions }: { executions: { workflowId: string }[] } = data;
  refreshLists();
  refreshStatistics();
  for (const { workflowId } of executions) {
    if (queryClient.getQueryData(['executions', 'last', workflowId]) !== undefined) changedWorkflows.add(workflowId);
  }
  if (changedWorkflows.size > 0) refreshRows();
}

let users = 0;
let abort: AbortController | undefined;

function follow(): void {
  const isWanted = users > 0 && document.visibilityState === 'visible';
  if (!isWanted) {
    abort?.abort();
    abort = undefined;
  } else if (abort === undefined) {
    abort = new AbortController();
    const { signal } = abort;
    const onState = (isOpen: boolean) => isLive.set(isOpen && !signal.aborted);
    // If the service permanently refuses the stream, the lists poll.
    followEvents('/events', { signal, onEvent, onState }).catch(() => undefined);
  }
}

// Browsers open few connections to a service; background tabs need no connection.
document.addEventListener('visibilitychange', follow);

/**
 * Follows changes of executions while a component that uses it is shown. Returns the polling
 * interval in milliseconds: `fallbackMs` while there are no events.
 */
export function useLiveInterval(fallbackMs: number): number {
  useEffect(() => {
    users += 1;
    follow();
    return () => {
      users -= 1;
      // The next page may need the same stream.
      setTimeout(follow, 500);
    };
  }, []);
  return useStore(isLive) ? safetyMs : fallbackMs;
}
