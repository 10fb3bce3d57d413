import { type ExecuteContext, NodeOperationError } from '@sluice/node-sdk';
import { WAIT_INDEFINITELY } from '../workflow-module/constants.ts';

/** Functions that suspend, resume, and cancel a run. */
export function waitingFunctions(context: ExecuteContext) {
  return {
    putExecutionToWait: async (until: Date) => waitUntil(context, until),
    getSignedResumeUrl: (query: Record<string, string> = {}) => resumeUrl(context, query),
    /** A no-op: resume URLs always require a one-time token. */
    setSignatureValidationRequired: () => undefined,
    getExecutionCancelSignal: () => context.signal,
    onExecutionCancellation: (listener: () => unknown) =>
      context.signal.addEventListener('abort', () => listener(), { once: true }),
  };
}

function waitUntil(context: ExecuteContext, until: Date): void {
  const at = new Date(until).getTime();
  if (Number.isNaN(at)) throw new NodeOperationError('putExecutionToWait was called with an invalid date');
  const response = { status: 200, headers: {} };
  const isForever = at >= WAIT_INDEFINITELY.getTime();
  context.suspend(isForever ? { kind: 'call', call: { method: 'POST', response } } : { kind: 'time', at });
}

/** Resume URLs contain an unguessable token. */
function resumeUrl({ execution }: ExecuteContext, query: Record<string, string>): string {
  const address = execution.resumeUrl;
  if (address === undefined) {
    throw new NodeOperationError('the execution has no URL that resumes it', {
      description: 'set PUBLIC_URL',
    });
  }
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}
