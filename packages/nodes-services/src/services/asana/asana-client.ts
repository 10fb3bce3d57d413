import type { JsonObject, JsonValue, MethodContext, NodeProperty, NodePropertyOption } from '@sluice/node-sdk';
import { localTime, namesParameter, text } from '@sluice/nodes-base/node-tools';
import { ApiClient, type ApiRequest } from '../../shared/api-client.ts';
import { objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { choicesFrom } from '../../shared/list-choices.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import { cursorPaging, sendAll } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://developers.asana.com/reference/rest-api-reference */
export const asanaClient = new ApiClient({
  service: 'Asana',
  credentialType: ({ parameter }) =>
    parameter<string>('authentication', 'accessToken') === 'oAuth2' ? 'asanaOAuth2Api' : 'asanaApi',
  baseUrl: 'https://app.asana.com/api/1.0',
  refusalOf({ status, body }) {
    const [{ message } = {}] = objectsOf(objectOf(body)['errors']);
    return {
      ...(typeof message === 'string' && { text: message }),
      ...(status === 402 && { hint: 'The plan of the workspace does not have this feature' }),
    };
  },
});

const maxPageSize = 100;
const pages = cursorPaging('data', 'next_page.offset', 'offset');

export const listProperties = listPropertiesOf(maxPageSize);

/** A property with an ID whose choices editors load. */
export const chosen = (name: string, displayName: string, method: string, more: Partial<NodeProperty> = {}): NodeProperty =>
  text(name, displayName, `ID of the ${displayName.toLowerCase()}`, { typeOptions: { loadOptionsMethod: method }, ...more });

export const workspace = chosen('workspace', 'Workspace', 'getWorkspaces', { required: true });

/** Path of an object that a parameter names. */
export const pathOf = (item: ServiceItem, kind: string, parameter: string, more = ''): string =>
  `/${kind}/${encodeURIComponent(item.id(parameter))}${more}`;

/** Sends a request; resolves to the object of the response. */
export async function send(item: ServiceItem, request: ApiRequest): Promise<JsonValue> {
  return objectOf(await item.send(request))['data'] ?? null;
}

/** Elements of a list, up to `limit` unless all are requested. */
export function listed(item: ServiceItem, path: string, query: ApiRequest['query'] = {}): Promise<JsonObject[]> {
  const limit = item.limit(maxPageSize);
  return item.list({ path, query: { ...query, limit: Math.min(limit, maxPageSize) } }, pages, limit);
}

/** Names from a list, in API format. */
export function joined(item: ServiceItem, path: string): string {
  return namesParameter(item.context, path, item.index).join();
}

const dates = new Set(['due_on', 'start_on']);

/** A collection's members; days are in the workflow's time zone. */
export function membersOf(item: ServiceItem, path: string): JsonObject {
  const members = Object.entries(item.fields(path));
  return Object.fromEntries(members.map(([name, value]) => [name, dates.has(name) ? dayOf(item, name, value) : value]));
}

function dayOf(item: ServiceItem, name: string, value: JsonValue): string {
  const day = textOf(value).trim();
  if (/^\d{4}-\d{2}-\d{2}$/.test(day)) return day;
  const local = localTime(value, item.context.workflow.timezone);
  if (local) return local.date;
  throw item.error(`the field "${name}" is not a date`, 'Set it to a date such as 2026-01-31');
}

/** Choices of an editor. */
export async function choicesOf(
  context: MethodContext,
  path: string,
  query: ApiRequest['query'] = {},
): Promise<NodePropertyOption[]> {
  const request = { path, query: { ...query, limit: maxPageSize } };
  const records = await sendAll(asanaClient, context, request, pages, 5_000);
  return choicesFrom(records, 'name', 'gid');
}
