import { type ExecutionStatus, executionStatuses, invalidRequest, isTerminal } from '@sluice/domain';

/** Position of a stream, encoded in the `id` of its events. */
export interface StreamPosition {
  /** Number of node runs whose end was sent. */
  nodeRuns: number;
  /** Whether the start of the next node run was sent, too. */
  started: boolean;
  /** Last status sent; absent: no status was sent, or it must be sent again. */
  status?: ExecutionStatus;
}

const pattern = new RegExp(`^(\\d{1,9})(s?)-(${executionStatuses.join('|')})$`);

export function formatPosition({ nodeRuns, started, status }: Required<StreamPosition>): string {
  return `${nodeRuns}${started ? 's' : ''}-${status}`;
}

/**
 * Parses the `Last-Event-ID` header; without one, the stream starts at the beginning. A terminal
 * status is sent again, since a client that reconnects after it has missed the end. Throws
 * `ValidationError` for an invalid id.
 */
export function parsePosition(lastEventId: string | undefined): StreamPosition {
  if (!lastEventId) return { nodeRuns: 0, started: false };
  const [, nodeRuns, started, status] = pattern.exec(lastEventId) ?? [];
  if (nodeRuns === undefined) {
    const message = 'must be the ID of an event of this stream';
    throw invalidRequest('Last-Event-ID', message);
  }
  const sent = status as ExecutionStatus;
  const position = { nodeRuns: Number(nodeRuns), started: started === 's' };
  return isTerminal(sent) ? position : { ...position, status: sent };
}
