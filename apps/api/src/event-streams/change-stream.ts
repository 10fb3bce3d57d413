import type { ExecutionChangesEvent } from '@sluice/contract';
import type { ExecutionId } from '@sluice/domain';
import type { Caller } from '../auth/caller.ts';
import type { ServerSentEvent } from '../http/response/server-sent-events.ts';
import type { ExecutionChange, ExecutionChanges } from './execution-changes.ts';

/** Maximum number of changes in one event. */
const maxNamed = 200;

interface ChangeStreamOptions {
  changes: Pick<ExecutionChanges, 'listen'>;
  /** Aborts when the client disconnects or the process stops. */
  signal: AbortSignal;
  /** The caller with its current rights; `undefined` once it may not list executions. */
  renew: () => Promise<Caller | undefined>;
}

/**
 * Changes of the executions that one client may see. The first event, without executions, reports
 * that changes are watched from now on. Changes that a slow client has not read yet are merged.
 */
export async function* changeStream({ changes, signal, renew }: ChangeStreamOptions): AsyncGenerator<ServerSentEvent> {
  const pending = new Map<ExecutionId, ExecutionChange>();
  let [more, isFirst] = [false, true];
  let wake = () => {};
  const unsubscribe = changes.listen((batch, hasMore) => {
    for (const change of batch) pending.set(change.id, change);
    if (pending.size > 10 * maxNamed) pending.clear();
    more ||= hasMore || (pending.size === 0 && batch.length > 0);
    wake();
  });
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort);
  try {
    while (!signal.aborted) {
      const woken = Promise.withResolvers<void>();
      wake = woken.resolve;
      await woken.promise;
      if (signal.aborted) return;
      const caller = await renew();
      if (caller === undefined) return;
      const access = caller.access['project:viewer'];
      const visible = [...pending.values()].filter(({ projectId }) => access.includes(projectId));
      const data: ExecutionChangesEvent = {
        executions: visible.slice(0, maxNamed),
        more: more || visible.length > maxNamed,
      };
      pending.clear();
      more = false;
      if (isFirst || data.more || data.executions.length > 0) yield { event: 'executions', data };
      isFirst = false;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    unsubscribe();
  }
}
