import { type Static, Type } from './schema-builder.ts';
import { nullable, oneOf, timestamp } from './schema-helpers.ts';

/** Something that starts executions of an active workflow. */
export const triggerView = Type.Object(
  {
    nodeName: Type.String({ description: 'where its executions begin' }),
    kind: oneOf(['schedule', 'webhook', 'form', 'poll', 'listen', 'workflow'], {
      description:
        'what it listens to; poll: it looks for what is new; listen: one worker keeps a connection for it; workflow: it is told when the workflow is activated, or another version of it is',
    }),
    status: oneOf(['active', 'starting', 'failing'], {
      description:
        'starting: a listener that does not listen yet, or only since a moment; failing: it has failed, and is tried again at `retryAt`',
    }),
    nextRunAt: nullable(
      Type.String({
        format: 'date-time',
        description: 'of schedules and polls: when it is due next; null: never again, or not by time',
      }),
    ),
    lastExecutionId: nullable(
      Type.String({ description: 'the execution that it started last; null: none, or not noted, as for webhooks and forms' }),
    ),
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
      { description: 'of schedules: the last tick that started nothing' },
    ),
    failures: Type.Integer({
      minimum: 0,
      description: 'of schedules, polls and listeners: how often in a row it has failed; other kinds do not fail',
    }),
    lastError: nullable(Type.String({ description: 'of the last failure; null after a success' })),
    retryAt: nullable(Type.String({ format: 'date-time', description: 'after a failure: when it is tried again' })),
    lastSuccessAt: nullable(
      Type.String({
        format: 'date-time',
        description: 'of polls and listeners: when it has polled, listened or started something last',
      }),
    ),
    heldBy: nullable(Type.String({ description: 'of polls and listeners: the worker that has it now' })),
    createdAt: Type.String({ format: 'date-time', description: 'since when it listens as it does' }),
  },
  { title: 'Trigger' },
);
export type TriggerView = Static<typeof triggerView>;

/** What a node of a workflow has, or is to give up, at a remote service. */
export const registrationView = Type.Object(
  {
    nodeName: Type.String(),
    name: Type.String({ description: '`webhook:` and the name of the webhook, or `hooks`' }),
    state: oneOf(['registered', 'pending', 'ending'], {
      description: 'pending: it is to be made again; ending: it is to be ended, which is tried for a day',
    }),
    failures: Type.Integer({ minimum: 0, description: 'how often in a row that has failed' }),
    lastError: nullable(Type.String({ description: 'of the last failure' })),
    retryAt: nullable(Type.String({ format: 'date-time', description: 'when it is tried, or tried again' })),
  },
  { title: 'Registration' },
);
export type RegistrationView = Static<typeof registrationView>;

export const triggerList = Type.Object({
  data: Type.Array(triggerView),
  registrations: Type.Array(registrationView, {
    description: 'what its nodes have at remote services; after a deactivation: what is still to be ended there',
  }),
});
