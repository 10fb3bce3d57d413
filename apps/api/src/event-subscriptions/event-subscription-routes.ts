import {
  createEventSubscriptionBody,
  type EventDeliveryView,
  type EventSubscriptionView,
  eventDeliveryPage,
  eventDeliveryView,
  eventSubscriptionPage,
  eventSubscriptionView,
  listEventDeliveriesQuery,
  listEventSubscriptionsQuery,
  newEventSubscriptionView,
  updateEventSubscriptionBody,
} from '@sluice/contract';
import type { EventDelivery, EventSubscription } from '@sluice/db';
import { defineRoute, defineRoutes } from '../http/route/define-route.ts';
import { mapPage } from '../paging/page.ts';

export const eventSubscriptionRoutes = defineRoutes({
  listEventSubscriptions: defineRoute({
    method: 'get',
    path: '/event-subscriptions',
    scope: 'execution:list',
    summary: 'List event subscriptions, newest first',
    query: listEventSubscriptionsQuery,
    responses: { 200: eventSubscriptionPage },
    reply: async ({ query, caller, services }) =>
      mapPage(await services.eventSubscriptions.list(query, caller), toEventSubscriptionView),
  }),

  createEventSubscription: defineRoute({
    method: 'post',
    path: '/event-subscriptions',
    scope: 'every scope',
    action: 'eventSubscription.create',
    summary: 'Send the events of a project to a URL',
    body: createEventSubscriptionBody,
    responses: { 201: newEventSubscriptionView },
    docs: { errors: ['NOT_FOUND'] },
    async reply({ body, caller, services }) {
      const { secret, ...subscription } = await services.eventSubscriptions.create(body, caller);
      return { ...toEventSubscriptionView(subscription), secret };
    },
  }),

  getEventSubscription: defineRoute({
    method: 'get',
    path: '/event-subscriptions/:id',
    scope: 'execution:list',
    summary: 'Read an event subscription',
    responses: { 200: eventSubscriptionView },
    reply: async ({ params, caller, services }) =>
      toEventSubscriptionView(await services.eventSubscriptions.get(params.id, caller)),
  }),

  updateEventSubscription: defineRoute({
    method: 'patch',
    path: '/event-subscriptions/:id',
    scope: 'every scope',
    action: 'eventSubscription.update',
    summary: 'Change an event subscription',
    body: updateEventSubscriptionBody,
    responses: { 200: eventSubscriptionView },
    reply: async ({ params, body, caller, services }) =>
      toEventSubscriptionView(await services.eventSubscriptions.update(params.id, body, caller)),
  }),

  deleteEventSubscription: defineRoute({
    method: 'delete',
    path: '/event-subscriptions/:id',
    scope: 'every scope',
    action: 'eventSubscription.delete',
    summary: 'Delete an event subscription and its deliveries',
    responses: { 200: eventSubscriptionView },
    reply: async ({ params, caller, services }) =>
      toEventSubscriptionView(await services.eventSubscriptions.delete(params.id, caller)),
  }),

  rotateEventSubscriptionSecret: defineRoute({
    method: 'post',
    path: '/event-subscriptions/:id/rotate-secret',
    scope: 'every scope',
    action: 'eventSubscription.rotateSecret',
    summary: 'Replace the secret; events are signed with both for a day',
    responses: { 200: newEventSubscriptionView },
    async reply({ params, caller, services }) {
      const { secret, ...rotated } = await services.eventSubscriptions.rotateSecret(params.id, caller);
      return { ...toEventSubscriptionView(rotated), secret };
    },
  }),

  testEventSubscription: defineRoute({
    method: 'post',
    path: '/event-subscriptions/:id/test',
    scope: 'every scope',
    action: 'eventSubscription.test',
    summary: 'Send a test event',
    responses: { 202: eventDeliveryView },
    reply: async ({ params, caller, services }) =>
      toEventDeliveryView(await services.eventSubscriptions.test(params.id, caller)),
  }),

  listEventDeliveries: defineRoute({
    method: 'get',
    path: '/event-subscriptions/:id/deliveries',
    scope: 'execution:list',
    summary: 'List the deliveries of the last week, newest first',
    query: listEventDeliveriesQuery,
    responses: { 200: eventDeliveryPage },
    reply: async ({ params, query, caller, services }) =>
      mapPage(await services.eventSubscriptions.listDeliveries(params.id, query, caller), toEventDeliveryView),
  }),

  replayEventDelivery: defineRoute({
    method: 'post',
    path: '/event-subscriptions/:id/deliveries/:deliveryId/replay',
    scope: 'every scope',
    action: 'eventSubscription.replay',
    summary: 'Send an event again',
    responses: { 202: eventDeliveryView },
    reply: async ({ params, caller, services }) =>
      toEventDeliveryView(await services.eventSubscriptions.replay(params.id, params.deliveryId, caller)),
  }),
});

function toEventSubscriptionView({ createdAtUs: _, createdAt, updatedAt, ...rest }: EventSubscription): EventSubscriptionView {
  return { ...rest, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

function toEventDeliveryView({ createdAtUs: _, createdAt, nextAttemptAt, ...rest }: EventDelivery): EventDeliveryView {
  return { ...rest, createdAt: createdAt.toISOString(), nextAttemptAt: nextAttemptAt?.toISOString() ?? null };
}
