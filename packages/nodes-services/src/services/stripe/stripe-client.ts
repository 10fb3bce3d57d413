import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { ApiClient } from '../../shared/api-client.ts';
import { objectOf, textOf } from '../../shared/json-values.ts';
import type { Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { type Fields, formOf } from './stripe-form.ts';

/** https://docs.stripe.com/api, in the account's default version */
export const stripeClient = new ApiClient({
  service: 'Stripe',
  credentialType: 'stripeApi',
  baseUrl: 'https://api.stripe.com/v1',
  refusalOf({ body }) {
    const { message, type, code, decline_code: declined, param } = objectOf(objectOf(body)['error']);
    const reason = [declined, code, type].map(textOf).find((one) => one !== '');
    const field = textOf(param).slice(0, 100);
    return {
      ...(reason !== undefined && { code: reason }),
      ...(textOf(message) !== '' && { text: textOf(message) }),
      ...(field !== '' && { hint: `Check the value of "${field}"` }),
    };
  },
});

/** Maximum number of elements per page of a list. */
const pageSize = 100;

/** Pages by the last element's ID: https://docs.stripe.com/api/pagination */
export const pages: Paging = {
  list: 'data',
  next({ body }) {
    const { has_more: hasMore, data } = objectOf(body);
    const id = Array.isArray(data) ? objectOf(data.at(-1))['id'] : undefined;
    return hasMore === true && typeof id === 'string' ? { query: { starting_after: id } } : undefined;
  },
};

/** Requests a list, limited by the parameters `returnAll` and `limit`. */
export function listed(item: ServiceItem, path: string, query: JsonObject = {}): Promise<JsonObject[]> {
  const limit = item.limit();
  return item.list({ path, query: { ...query, limit: Math.min(limit, pageSize) } }, pages, limit);
}

/**
 * Sends a change. Its idempotency key is the same whenever this run's item is retried, so a charge
 * whose response was lost is not made twice: https://docs.stripe.com/api/idempotent_requests
 */
export function change(item: ServiceItem, path: string, fields: Fields = {}): Promise<JsonValue | undefined> {
  const form = formOf(item, fields);
  const { workflow, execution, node, runIndex } = item.context;
  const hash = createHash('sha256');
  for (const part of [workflow.id, execution.id, node.id, runIndex, item.index, path, ...Object.entries(form).flat()])
    hash.update(`${part}\0`);
  return item.send({ method: 'POST', path, form, headers: { 'idempotency-key': hash.digest('hex') } });
}

export const remove = (item: ServiceItem, path: string): Promise<JsonValue | undefined> =>
  item.send({ method: 'DELETE', path });

/** Path of an object whose ID is in a parameter. */
export const pathOf = (item: ServiceItem, kind: string, parameter: string, more = ''): string =>
  `/${kind}/${encodeURIComponent(item.id(parameter).trim())}${more}`;
