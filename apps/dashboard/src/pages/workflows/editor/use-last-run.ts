import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { executionWithData, hasEnded } from '../../../data/executions.ts';
import { runDataOf } from '../../../data/run-data.ts';
import { marksOf } from '../model/run-data.ts';

/** Milliseconds between two reads while an execution runs. */
const pollMs = 700;
/** Milliseconds between two reads while it waits, which may take days, or cannot be read. */
const waitingMs = 5_000;

/** The given execution with its data, followed until it ends. */
export function useRun(executionId: string | undefined) {
  const { data: execution } = useQuery({
    ...executionWithData(executionId ?? ''),
    enabled: executionId !== undefined,
    refetchInterval: ({ state: { data, error } }) => {
      if (data && hasEnded(data)) return false;
      return error || data?.status === 'waiting' ? waitingMs : pollMs;
    },
  });
  const runData = useMemo(() => runDataOf(execution), [execution]);
  return { execution, runData, marks: useMemo(() => marksOf(runData), [runData]) };
}
