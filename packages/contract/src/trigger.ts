import { type Static, Type } from './schema-builder.ts';
import { nullable, oneOf, timestamp, timestampOf } from './schema-helpers.ts';

/** An address that starts executions. */
export const triggerUrl = Type.Object(
  {
    nodeName: Type.String({ description: 'the node where the execution starts' }),
    kind: oneOf(['webhook', 'form'], { description: 'the kind of trigger' }),
    methods: Type.Array(Type.String()),
    url: Type.String({
      description: 'a segment such as `:id` matches any string; without a host if the service does not know its own',
    }),
  },
  { title: 'TriggerUrl' },
);
export type TriggerUrl = Static<typeof triggerUrl>;

const skippedTick = Type.Object({
  at: timestamp,
  reason: oneOf(['missed', 'overlap', 'queueFull'], {
    description:
      'missed: no worker was running; overlap: the previous execution had not ended; queueFull: the project had reached its limit of executions waiting to start',
  }),
});

/** A trigger of an active workflow. */
export const triggerView = Type.Object(
  {
    nodeName: Type.String({ description: 'the node where its executions start' }),
    kind: oneOf(['schedule', 'webhook', 'form', 'poll', 'listen', 'workflow'], {
      description:
        'the event source; poll: it checks for new data; listen: one worker keeps a connection for it; workflow: activation of the workflow, or of another version of it',
    }),
    status: oneOf(['active', 'starting', 'failing'], {
      description:
        'starting: a listener that does not listen yet, or just started; failing: it failed, and is retried at `retryAt`',
    }),
    nextRunAt: nullable(timestampOf('for schedules and polls: when it is due next; null: never again, or not by time')),
    lastExecutionId: nullable(
      Type.String({
        description: 'the execution that it started last; null: none, or not recorded, as for webhooks and forms',
      }),
    ),
    lastSkip: Type.Union([skippedTick, Type.Null()], {
      description: 'for schedules: the last tick that started no execution',
    }),
    failures: Type.Integer({
      minimum: 0,
      description: 'for schedules, polls and listeners: number of consecutive failures; other kinds do not fail',
    }),
    lastError: nullable(Type.String({ description: 'message of the last failure; null after a success' })),
    retryAt: nullable(timestampOf('after a failure: when it is retried')),
    lastSuccessAt: nullable(timestampOf('for polls and listeners: when it last polled, listened or started an execution')),
    heldBy: nullable(Type.String({ description: 'for polls and listeners: the worker that runs it now' })),
    urls: Type.Array(triggerUrl, { description: 'for webhooks and forms: the addresses that start executions' }),
    createdAt: timestampOf('time at which it got its current configuration'),
  },
  { title: 'Trigger' },
);
export type TriggerView = Static<typeof triggerView>;

/** A registration of a workflow's node at a remote service, current or to be removed. */
export const registrationView = Type.Object(
  {
    nodeName: Type.String(),
    name: Type.String({ description: '`webhook:` and the name of the webhook, or `hooks`' }),
    state: oneOf(['registered', 'pending', 'ending'], {
      description: 'pending: to be registered again; ending: to be removed, which is tried for a day',
    }),
    failures: Type.Integer({ minimum: 0, description: 'number of consecutive failures' }),
    lastError: nullable(Type.String({ description: 'message of the last failure' })),
    retryAt: nullable(timestampOf('time of the next try')),
  },
  { title: 'Registration' },
);
export type RegistrationView = Static<typeof registrationView>;

export const triggerList = Type.Object({
  data: Type.Array(triggerView),
  registrations: Type.Array(registrationView, {
    description: 'registrations of its nodes at remote services; after a deactivation: those still to be removed',
  }),
});
