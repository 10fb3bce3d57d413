import { deliveryStatuses, outgoingEvents } from '@sluice/domain';
import { pageOf, pageQuery, projectFilter } from './page.ts';
import { type Static, Type } from './schema-builder.ts';
import {
  jsonObject,
  messageKeyword,
  nameText,
  nullable,
  oneOf,
  storableText,
  timestamp,
  withExample,
} from './schema-helpers.ts';

const url = Type.String({
  maxLength: 2048,
  pattern: '^https?://[^\\s\\u0000-\\u001f]+$',
  [messageKeyword]: 'must be a URL that starts with http:// or https://',
  description: 'receives a POST for each event, signed as in Standard Webhooks',
});
const events = Type.Array(oneOf(outgoingEvents), { minItems: 1, maxItems: outgoingEvents.length, uniqueItems: true });
const waitingAfterSeconds = Type.Integer({
  minimum: 10,
  maximum: 31_536_000,
  description: 'seconds to start or to resume after which an execution causes `execution.waiting`',
});

export const createEventSubscriptionBody = withExample(
  Type.Object({
    projectId: Type.Optional(storableText),
    name: nameText,
    url,
    events,
    waitingAfterSeconds: Type.Optional(waitingAfterSeconds),
    active: Type.Boolean({ default: true }),
  }),
  {
    name: 'Incidents',
    url: 'https://hooks.example.com/sluice',
    events: ['execution.failed', 'execution.crashed'],
  },
);
export type CreateEventSubscriptionBody = Static<typeof createEventSubscriptionBody>;

export const updateEventSubscriptionBody = withExample(
  Type.Object({
    name: Type.Optional(nameText),
    url: Type.Optional(url),
    events: Type.Optional(events),
    waitingAfterSeconds: Type.Optional(waitingAfterSeconds),
    active: Type.Optional(Type.Boolean()),
  }),
  { active: false },
);
export type UpdateEventSubscriptionBody = Static<typeof updateEventSubscriptionBody>;

const viewFields = {
  id: Type.String(),
  projectId: Type.String(),
  name: Type.String(),
  url: Type.String(),
  events: Type.Array(oneOf(outgoingEvents)),
  waitingAfterSeconds: Type.Integer(),
  active: Type.Boolean({ description: 'false: nothing is sent, and events are not recorded' }),
  disabledReason: nullable(Type.String({ description: 'why the service deactivated it' })),
  createdAt: timestamp,
  updatedAt: timestamp,
};
export const eventSubscriptionView = Type.Object(viewFields, { title: 'EventSubscription' });
export type EventSubscriptionView = Static<typeof eventSubscriptionView>;

export const newEventSubscriptionView = Type.Object(
  { ...viewFields, secret: Type.String({ description: 'signs the events; shown only now' }) },
  { title: 'EventSubscriptionWithSecret' },
);

export const eventSubscriptionPage = pageOf(eventSubscriptionView);
export const listEventSubscriptionsQuery = Type.Object({ ...pageQuery, projectId: projectFilter });
export type ListEventSubscriptionsQuery = Static<typeof listEventSubscriptionsQuery>;

const attempt = Type.Object({
  at: timestamp,
  durationMs: Type.Integer(),
  status: nullable(Type.Integer({ description: 'HTTP status of the response; null: no response' })),
  error: nullable(Type.String({ description: 'null: the receiver accepted the event' })),
});

export const eventDeliveryView = Type.Object(
  {
    id: Type.String({ description: '`webhook-id` of the request: the same for every attempt' }),
    subscriptionId: Type.String(),
    type: Type.String(),
    payload: jsonObject,
    status: oneOf(deliveryStatuses, { description: '`pending`: not accepted yet, and retried; `failed`: given up' }),
    nextAttemptAt: nullable(timestamp),
    attempts: Type.Array(attempt, { description: 'the newest 20, oldest first' }),
    createdAt: timestamp,
  },
  { title: 'EventDelivery' },
);
export type EventDeliveryView = Static<typeof eventDeliveryView>;

export const eventDeliveryPage = pageOf(eventDeliveryView);
export const listEventDeliveriesQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(oneOf(deliveryStatuses, { description: 'only deliveries with this status', examples: ['failed'] })),
});
export type ListEventDeliveriesQuery = Static<typeof listEventDeliveriesQuery>;
