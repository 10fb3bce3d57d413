import { queryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { allPages, pageByPage } from '../../data/all-pages.ts';
import { api, byId, call, type Schemas } from '../../data/api.ts';
import { changing } from '../../data/query-client.ts';

export type Subscription = Schemas['EventSubscription'];
export type Delivery = Schemas['EventDelivery'];

export const subscriptionList = queryOptions({
  queryKey: ['event-subscriptions', 'list'],
  queryFn: () => allPages((query) => call(api.GET('/event-subscriptions', { params: { query } }))),
});

const changingSubscriptions = <T>(change: Promise<T>) => changing(change, 'event-subscriptions');

/** The secret is only in this response. */
export const createSubscription = (body: Schemas['CreateEventSubscriptionBody']) =>
  changingSubscriptions(call(api.POST('/event-subscriptions', { body })));

export const updateSubscription = (id: string, body: Schemas['UpdateEventSubscriptionBody']) =>
  changingSubscriptions(call(api.PATCH('/event-subscriptions/{id}', { ...byId(id), body })));

export const deleteSubscription = (id: string) =>
  changingSubscriptions(call(api.DELETE('/event-subscriptions/{id}', byId(id))));

/** The secret is only in this response. */
export const rotateSecret = (id: string) => call(api.POST('/event-subscriptions/{id}/rotate-secret', byId(id)));

export const sendTestEvent = (id: string) => changingSubscriptions(call(api.POST('/event-subscriptions/{id}/test', byId(id))));

/** The deliveries of the last week, newest first, page by page. */
export function useDeliveries(id: string) {
  return useInfiniteQuery({
    queryKey: ['event-subscriptions', id, 'deliveries'],
    ...pageByPage((position) =>
      call(api.GET('/event-subscriptions/{id}/deliveries', { params: { path: { id }, query: { limit: 100, ...position } } })),
    ),
    refetchInterval: 5_000,
  });
}

export const replayDelivery = ({ id: deliveryId, subscriptionId: id }: Delivery) =>
  changingSubscriptions(
    call(api.POST('/event-subscriptions/{id}/deliveries/{deliveryId}/replay', { params: { path: { id, deliveryId } } })),
  );
