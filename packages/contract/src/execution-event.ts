import { executionStatuses } from '@sluice/domain';
import { errorRecord } from './run.ts';
import { type Static, Type } from './schema-builder.ts';
import { nullable, oneOf, timestamp, withExample } from './schema-helpers.ts';

const executionId = Type.String();

/**
 * The status of the execution: sent at the beginning of a stream and after each change. A terminal
 * one is the last event.
 */
export const statusEvent = withExample(
  Type.Object({
    executionId,
    status: oneOf(executionStatuses),
    startedAt: nullable(timestamp),
    stoppedAt: nullable(timestamp),
    error: Type.Optional(errorRecord),
  }),
  { executionId: '1042', status: 'running', startedAt: '2026-11-20T09:30:00.000Z', stoppedAt: null },
);
export type StatusEvent = Static<typeof statusEvent>;

const nodeRunName = {
  executionId,
  nodeName: Type.String(),
  runIndex: Type.Integer({ description: '0-based count of this node’s runs within the execution' }),
};

/**
 * A node run has started. Sent before its end, and after the end of all runs that ended before it
 * started.
 */
export const nodeStartedEvent = Type.Object({
  ...nodeRunName,
  startTime: Type.Number({ description: 'milliseconds since the epoch' }),
});
export type NodeStartedEvent = Static<typeof nodeStartedEvent>;

/** A node run has ended. Its output is in the execution (`includeData=true`). */
export const nodeFinishedEvent = Type.Object({
  ...nodeRunName,
  executionStatus: oneOf(['success', 'error']),
  startTime: nullable(Type.Number()),
  executionTime: nullable(Type.Number({ description: 'milliseconds' })),
  error: Type.Optional(errorRecord),
});
export type NodeFinishedEvent = Static<typeof nodeFinishedEvent>;

/** The events of `GET /executions/:id/events`: `event:` → JSON of `data:`. */
export const executionEvents = { status: statusEvent, nodeStarted: nodeStartedEvent, nodeFinished: nodeFinishedEvent };
