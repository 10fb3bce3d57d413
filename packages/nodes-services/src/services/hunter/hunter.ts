import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { choice, choices, collection, names, namesParameter, text, toggle } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { defineService, type Resource } from '../../shared/define-service.ts';
import { objectOf, objectsOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** The service is still checking an address, or allows fewer requests per second. */
const pauseMs = 3_000;

/** https://hunter.io/api-documentation/v2 */
const client = new ApiClient({
  service: 'Hunter',
  credentialType: 'hunterApi',
  baseUrl: 'https://api.hunter.io/v2',
  refusesWithSuccess: true,
  refusalOf({ status, body }) {
    const [{ id, details } = {}] = objectsOf(objectOf(body)['errors']);
    if (status === 202) return { text: 'the address is still being verified', retryAfterMs: pauseMs };
    if (status >= 200 && status <= 299 && details === undefined) return undefined;
    return {
      ...(typeof id === 'string' && { code: id }),
      ...(typeof details === 'string' && { text: details }),
      // 403 is the rate limit, 429 the monthly limit.
      ...(status === 403 && { retryAfterMs: pauseMs }),
      ...(status === 429 && { hint: 'The plan has no requests left: wait for the next month, or choose another plan' }),
    };
  },
});

const domain = text('domain', 'Domain', 'Domain of the company, such as `example.com`', { required: true });
const defaultLimit = 100;
const pageSize = 100;

const pages: Paging = {
  list: 'data.emails',
  next({ body }, count) {
    const total = Number(objectOf(objectOf(body)['meta'])['results'] ?? 0);
    return count > 0 && count < total && count % pageSize === 0 ? { query: { offset: count } } : undefined;
  },
};

const email: Resource = {
  displayName: 'Email',
  operations: {
    domainSearch: {
      displayName: 'Domain Search',
      description: 'Finds the email addresses of a domain',
      properties: [
        domain,
        toggle('onlyEmails', 'Only Emails', 'Whether to return an item for each address, instead of one for the domain', {
          default: true,
        }),
        ...listPropertiesOf(defaultLimit),
        collection('filters', 'Filters', [
          choice('type', 'Type', choices(['personal', 'Personal'], ['generic', 'Generic'])),
          names('seniority', 'Seniority', '`junior`, `senior`, or `executive`; commas separate several'),
          names('department', 'Department', 'Such as `executive`, `it`, `sales`, or `hr`; commas separate several'),
        ]),
      ],
      run: search,
    },
    emailFinder: {
      displayName: 'Email Finder',
      description: 'Finds the email address of a person',
      properties: [
        domain,
        text('firstname', 'First Name', 'First name of the person', { required: true }),
        text('lastname', 'Last Name', 'Last name of the person', { required: true }),
      ],
      run: (item) =>
        dataOf(item, '/email-finder', {
          domain: item.required('domain'),
          first_name: item.required('firstname'),
          last_name: item.required('lastname'),
        }),
    },
    emailVerifier: {
      displayName: 'Email Verifier',
      description: 'Checks whether an email address can be delivered to',
      properties: [text('email', 'Email', 'The email address', { required: true })],
      run: (item) => dataOf(item, '/email-verifier', { email: item.required('email') }),
    },
  },
};

async function dataOf(item: ServiceItem, path: string, query: JsonObject): Promise<JsonValue> {
  return objectOf(await item.send({ path, query }))['data'] ?? null;
}

async function search(item: ServiceItem): Promise<JsonValue> {
  const filter = (name: string) => namesParameter(item.context, `filters.${name}`, item.index).join();
  const limit = item.limit(defaultLimit);
  const query = {
    domain: item.required('domain'),
    type: item.text('filters.type'),
    seniority: filter('seniority'),
    department: filter('department'),
    limit: Math.min(limit, pageSize),
  };
  const path = '/domain-search';
  return item.toggle('onlyEmails', true) ? item.list({ path, query }, pages, limit) : dataOf(item, path, query);
}

/** Finds and verifies email addresses. */
export const hunter = defineService({
  displayName: 'Hunter',
  name: 'hunter',
  version: 1,
  description: 'Finds and verifies email addresses with Hunter',
  credentials: [{ name: 'hunterApi', required: true }],
  icon: 'fa:search',
  iconColor: 'orange',
  group: ['input'],
  client,
  resources: { email },
});
