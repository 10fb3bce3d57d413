import { type ExecutionStatus, executionStatuses, isTerminal, ValidationError } from '@sluice/domain';

/** How far a stream has got: what the `id` of its events says. */
export interface StreamPosition {
  /** Node runs whose end has been told. */
  nodeRuns: number;
  /** Whether the start of the next one has been told, too. */
  started: boolean;
  /** The last status told; absent: none, or one that is to be told again. */
  status?: ExecutionStatus;
}

const pattern = new RegExp(`^(\\d{1,9})(s?)-(${executionStatuses.join('|')})$`);

export function formatPosition({ nodeRuns, started, status }: Required<StreamPosition>): string {
  return `${nodeRuns}${started ? 's' : ''}-${status}`;
}

/**
 * From the `Last-Event-ID` header; without one, from the beginning. A terminal status is told again: a client that comes back
 * after it has not understood that it was the end. Throws `ValidationError` for what is no id of ours.
 */
export function parsePosition(lastEventId: string | undefined): StreamPosition {
  if (!lastEventId) return { nodeRuns: 0, started: false };
  const [, nodeRuns, started, status] = pattern.exec(lastEventId) ?? [];
  if (nodeRuns === undefined) {
    const message = 'must be the id of an event of this stream';
    throw new ValidationError('the request is not valid', [{ path: 'Last-Event-ID', message }]);
  }
  const told = status as ExecutionStatus;
  const position = { nodeRuns: Number(nodeRuns), started: started === 's' };
  return isTerminal(told) ? position : { ...position, status: told };
}
