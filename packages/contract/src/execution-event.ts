import { executionStatuses } from '@sluice/domain';
import { errorRecord } from './run.ts';
import { type Static, Type } from './schema-builder.ts';
import { nullable, oneOf, timestamp } from './schema-helpers.ts';

const executionId = Type.String();

/** The status of the execution, at the beginning of a stream and each time it changes. A terminal one is the last event. */
export const statusEvent = Type.Object({
  executionId,
  status: oneOf(executionStatuses),
  startedAt: nullable(timestamp),
  stoppedAt: nullable(timestamp),
  error: Type.Optional(errorRecord),
});
export type StatusEvent = Static<typeof statusEvent>;

const nodeRunName = {
  executionId,
  nodeName: Type.String(),
  runIndex: Type.Integer({ description: 'how many runs of the node came before, within the execution' }),
};

/** A node has begun. Sent before its end, and after the ends of all nodes that ended before it began. */
export const nodeStartedEvent = Type.Object({
  ...nodeRunName,
  startTime: Type.Number({ description: 'milliseconds since the epoch' }),
});
export type NodeStartedEvent = Static<typeof nodeStartedEvent>;

/** A node has ended. What it gave is in the execution (`includeData=true`). */
export const nodeFinishedEvent = Type.Object({
  ...nodeRunName,
  executionStatus: oneOf(['success', 'error']),
  startTime: nullable(Type.Number()),
  executionTime: nullable(Type.Number({ description: 'milliseconds' })),
  error: Type.Optional(errorRecord),
});
export type NodeFinishedEvent = Static<typeof nodeFinishedEvent>;

/** The events of `GET /executions/:id/events`: `event:` → the JSON of `data:`. */
export const executionEvents = { status: statusEvent, nodeStarted: nodeStartedEvent, nodeFinished: nodeFinishedEvent };
