import { type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import { withoutFinalSlashes } from '@sluice/nodes-base/node-tools';
import { type ApiAccess, ApiClient, type ApiRequest } from '../../shared/api-client.ts';
import { objectOf } from '../../shared/json-values.ts';
import { type Paging, sendAll } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

const credentialTypes: ReadonlyMap<string, string> = new Map([
  ['server', 'jiraSoftwareServerApi'],
  ['serverPat', 'jiraSoftwareServerPatApi'],
]);

const editionOf = ({ parameter }: Pick<ApiAccess, 'parameter'>): string => parameter<string>('jiraVersion', 'cloud');

export const isCloud = (access: Pick<ApiAccess, 'parameter'>): boolean => editionOf(access) === 'cloud';

/**
 * https://developer.atlassian.com/cloud/jira/platform/rest/v2/, and Jira Data Center, which has the
 * same version 2.
 */
export const jiraClient = new ApiClient({
  service: 'Jira',
  credentialType: (access) => credentialTypes.get(editionOf(access)) ?? 'jiraSoftwareCloudApi',
  baseUrl: (credential) => `${withoutFinalSlashes(optionalCredentialText(credential, 'domain'))}/rest/api`,
  headers: { accept: 'application/json' },
  refusalOf({ body }) {
    const { errorMessages, errors } = objectOf(body);
    const messages = [errorMessages ?? []].flat().filter((text) => typeof text === 'string');
    const fields = Object.entries(objectOf(errors)).map(([field, text]) => `${field}: ${text}`);
    const all = [...messages, ...fields].join('; ');
    return all === '' ? {} : { text: all };
  },
});

const pageSize = 100;

/** Pages by number of elements so far. */
export const counted = (list: string): Paging => ({
  list,
  next: ({ body }, count) => {
    const { total, isLast } = objectOf(body);
    const hasMore = total === undefined ? isLast === false : count < Number(total);
    return hasMore && count > 0 ? { query: { startAt: count } } : undefined;
  },
});

const searched: Paging = {
  list: 'issues',
  next: ({ body }, count) => {
    const { nextPageToken, total } = objectOf(body);
    if (typeof nextPageToken === 'string') return { json: { nextPageToken } };
    return total !== undefined && count > 0 && count < Number(total) ? { json: { startAt: count } } : undefined;
  },
};

/** Jira Cloud rejects a search without a restriction. */
const everything = 'created >= "1970-01-01" order by created desc';

/** Issues that match a query; the two editions have different search endpoints. */
export function searchIssues(item: ServiceItem, { jql = '', ...more }: JsonObject): Promise<JsonObject[]> {
  const limit = item.limit();
  const json = { jql: jql === '' ? everything : jql, maxResults: Math.min(limit, pageSize), ...more };
  const path = isCloud(item.access) ? '/2/search/jql' : '/2/search';
  return item.list({ path, json }, searched, limit);
}

/** Requests a list, limited by the parameters `returnAll` and `limit`. */
export function listed(item: ServiceItem, request: ApiRequest, list: string): Promise<JsonObject[]> {
  const limit = item.limit();
  const query = { ...request.query, maxResults: Math.min(limit, pageSize) };
  return item.list({ ...request, query }, counted(list), limit);
}

/** All elements of a list, for editors. */
export const allOf = (access: ApiAccess, path: string, list: string): Promise<JsonObject[]> =>
  sendAll(jiraClient, access, { path }, counted(list), 1_000);
