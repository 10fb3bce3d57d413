import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type RetryOptions, retryExecution } from '../../data/executions.ts';
import { toast } from '../../ui/toast.tsx';

/** Retries an execution and opens the retry. Callers disable their button while `isRetrying`: each call starts a retry. */
export function useRetry(id: string): { retry(options?: RetryOptions): Promise<void>; isRetrying: boolean } {
  const navigate = useNavigate();
  const [isRetrying, setRetrying] = useState(false);
  const retry = async (options: RetryOptions = {}) => {
    setRetrying(true);
    try {
      const { id: executionId } = await retryExecution(id, options);
      toast.success(`Execution ${executionId} retries ${id}`);
      await navigate({ to: '/executions/$executionId', params: { executionId } });
    } catch (error) {
      toast.error(error, 'The execution was not retried');
    } finally {
      setRetrying(false);
    }
  };
  return { retry, isRetrying };
}
