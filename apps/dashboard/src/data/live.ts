import { useEffect } from 'react';
import { followEvents, type ServerEvent } from './events.ts';
import { queryClient } from './query-client.ts';
import { createStore, useStore } from './store.ts';
import { throttle } from './throttle.ts';

/** Milliseconds between two reads of a list: rate limits count them. The service keeps statistics for two seconds. */
const listMs = 1_000;
const statisticsMs = 2_000;
/** Rows of the list of workflows that are read together, at the pace of the statistics. */
const maxRows = 5;
/** Milliseconds between reads while events say what changes: for what they do not name, such as tags. */
const safetyMs = 30_000;

/** Whether changes of executions arrive as events. Otherwise lists poll. */
const isLive = createStore(false);

// Hidden queries are marked, and read when they are shown.
const refresh = (...queryKey: readonly string[]) => void queryClient.invalidateQueries({ queryKey });
const refreshLists = throttle(listMs, () => refresh('executions', 'newest'));
const refreshStatistics = throttle(statisticsMs, () => {
  refresh('statistics');
  refresh('queue');
});

/** Workflows whose last execution is no longer the one that was read. */
const changedWorkflows = new Set<string>();
const refreshRows = throttle(statisticsMs, () => {
  for (const id of [...changedWorkflows].slice(0, maxRows)) {
    changedWorkflows.delete(id);
    refresh('executions', 'last', id);
  }
  if (changedWorkflows.size > 0) refreshRows();
});

/** The first event of a stream names nothing; what changed before it is read as well. */
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
    // A stream that the service refuses for good leaves the lists with polling.
    followEvents('/events', { signal, onEvent, onState }).catch(() => undefined);
  }
}

// Browsers open few connections to a service; tabs in the background need none.
document.addEventListener('visibilitychange', follow);

/**
 * Follows changes of executions while a component that uses it is shown. Returns the milliseconds
 * after which to read again anyway: `fallbackMs` while there are no events.
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
