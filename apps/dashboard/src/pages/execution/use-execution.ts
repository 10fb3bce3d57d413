import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, byId, call } from '../../data/api.ts';
import { followEvents, type ServerEvent } from '../../data/events.ts';
import { type Execution, executionWithData, hasEnded } from '../../data/executions.ts';

/** Milliseconds between two reads of the data while nodes finish. */
const refreshMs = 1_000;

/** An execution with its data. While it has not ended, events say when there is more. */
export function useExecution(id: string) {
  const query = useQuery({ ...executionWithData(id), staleTime: 30_000 });
  const running = useLive(id, query.data);
  return { query, running };
}

/** The graph that the execution runs. */
export function useGraph(id: string) {
  return useQuery({
    queryKey: ['executions', 'graph', id],
    queryFn: () => call(api.GET('/executions/{id}/workflow', byId(id))),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Follows an execution that has not ended. Returns the names of the nodes that run now. */
function useLive(id: string, execution: Execution | undefined): ReadonlySet<string> {
  const client = useQueryClient();
  const [running, setRunning] = useState<ReadonlySet<string>>(new Set());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isOpen = execution !== undefined && !hasEnded(execution);
  useEffect(() => {
    if (!isOpen) return;
    const abort = new AbortController();
    const refresh = (delayMs: number) => {
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        void client.invalidateQueries({ queryKey: ['executions', 'one', id] });
      }, delayMs);
    };
    const onEvent = ({ event, data }: ServerEvent) => {
      if (event === 'nodeStarted') setRunning((before) => new Set(before).add(data.nodeName));
      if (event === 'nodeFinished') setRunning((before) => new Set([...before].filter((name) => name !== data.nodeName)));
      refresh(event === 'status' ? 0 : refreshMs);
    };
    const isLast = ({ event, data }: ServerEvent) => event === 'status' && hasEnded(data);
    // If the API refuses the stream, for example because too many are open, the page polls.
    const poll = () => setInterval(() => refresh(0), 3 * refreshMs);
    let polling: ReturnType<typeof setInterval> | undefined;
    followEvents(`/executions/${id}/events`, { signal: abort.signal, onEvent, isLast })
      .catch(() => {
        if (!abort.signal.aborted) polling = poll();
      })
      // After an abort, the page may already follow another execution.
      .finally(() => !abort.signal.aborted && setRunning(new Set()));
    return () => {
      abort.abort();
      clearInterval(polling);
      clearTimeout(timer.current);
      timer.current = undefined;
      setRunning(new Set());
    };
  }, [id, isOpen, client]);
  return running;
}
