import { useNavigate } from '@tanstack/react-router';
import { type RetryOptions, retryExecution } from '../../data/executions.ts';
import { toast } from '../../ui/toast.tsx';
import { useAction } from '../../ui/use-action.ts';

/** Retries an execution and opens the retry. */
export function useRetry(id: string) {
  const navigate = useNavigate();
  return useAction('The execution was not retried', async (options: RetryOptions = {}) => {
    const { id: executionId } = await retryExecution(id, options);
    toast.success(`Execution ${executionId} is a retry of ${id}`);
    await navigate({ to: '/executions/$executionId', params: { executionId } });
  });
}
