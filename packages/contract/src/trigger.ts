import { type Static, Type } from './schema-builder.ts';
import { nullable, oneOf, timestamp } from './schema-helpers.ts';

/** Something that starts executions of an active workflow. */
export const triggerView = Type.Object(
  {
    nodeName: Type.String({ description: 'where its executions begin' }),
    kind: oneOf(['schedule', 'webhook'], { description: 'what it listens to' }),
    nextRunAt: nullable(Type.String({ format: 'date-time', description: 'when it is due next; null: not by time' })),
    lastExecutionId: nullable(Type.String({ description: 'the execution that it started last' })),
    lastSkip: Type.Union(
      [
        Type.Object({
          at: timestamp,
          reason: oneOf(['missed', 'overlap', 'queueFull'], {
            description:
              'missed: no worker was there; overlap: the execution before had not ended; queueFull: the project had as many executions waiting to start as it may',
          }),
        }),
        Type.Null(),
      ],
      { description: 'the last tick that started nothing' },
    ),
    failures: Type.Integer({ minimum: 0, description: 'how often in a row it has failed' }),
    lastError: nullable(Type.String({ description: 'of the last failure; null after a success' })),
    retryAt: nullable(Type.String({ format: 'date-time', description: 'after a failure: when it is tried again' })),
    createdAt: Type.String({ format: 'date-time', description: 'since when it listens as it does' }),
  },
  { title: 'Trigger' },
);
export type TriggerView = Static<typeof triggerView>;

export const triggerList = Type.Object({ data: Type.Array(triggerView) });
