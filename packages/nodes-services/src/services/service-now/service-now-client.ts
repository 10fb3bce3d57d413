import { headerText, type JsonObject, type JsonValue, type NodeProperty, optionalCredentialText } from '@sluice/node-sdk';
import { choice, choices, names, namesParameter, options, text, toggle } from '@sluice/nodes-base/node-tools';
import { ApiClient, type ApiRequest } from '../../shared/api-client.ts';
import { objectOf, textOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/**
 * https://www.servicenow.com/docs/bundle/zurich-api-reference/page/integrate/inbound-rest/concept/c_TableAPI.html
 */
export const serviceNowClient = new ApiClient({
  service: 'ServiceNow',
  credentialType: ({ parameter }) =>
    parameter<string>('authentication', 'oAuth2') === 'basicAuth' ? 'serviceNowBasicApi' : 'serviceNowOAuth2Api',
  baseUrl: (credential) => `https://${optionalCredentialText(credential, 'subdomain').trim()}.service-now.com/api/now`,
  headers: { accept: 'application/json' },
  refusalOf({ body }) {
    const { message, detail } = objectOf(objectOf(body)['error']);
    const words = [textOf(message), textOf(detail)].filter((one) => one.trim() !== '').join(': ');
    return words === '' ? {} : { text: words };
  },
});

/** Maximum number of records per request. */
export const pageSize = 1_000;

/** Without a unique order, records are missing in the pages of a list, or in several. */
export const uniqueOrder = 'ORDERBYsys_id';

/** Parts of an encoded query. */
export const conditions = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('^');

/**
 * Records that the user may not see are missing in a page, so only the total number shows its end.
 */
export const pagesOf = (size: number): Paging => ({
  list: 'result',
  next({ headers }, _, page) {
    const offset = page * size;
    return offset < Number(headerText(headers, 'x-total-count') || 0) ? { query: { sysparm_offset: offset } } : undefined;
  },
});

/** Requests a list, limited by the parameters `returnAll` and `limit`. */
export function listed(
  item: ServiceItem,
  path: string,
  query: ApiRequest['query'],
  lastOrder = uniqueOrder,
): Promise<JsonObject[]> {
  const limit = item.limit();
  const sorted = limit > pageSize ? { sysparm_query: conditions(textOf(query?.['sysparm_query']), lastOrder) } : {};
  const request = { path, query: { ...query, ...sorted, sysparm_limit: Math.min(limit, pageSize) } };
  return item.list(request, pagesOf(Math.min(limit, pageSize)), limit);
}

/** Sends a request; resolves to its result. */
export async function resultOf(item: ServiceItem, request: ApiRequest): Promise<JsonValue> {
  return objectOf(await item.send(request))['result'] ?? {};
}

export const tablePath = (table: string): string => `/table/${encodeURIComponent(table)}`;
export const recordPath = (table: string, id: string): string => `${tablePath(table)}/${encodeURIComponent(id.trim())}`;

/** A name or an ID that becomes a part of a condition, so it must be nothing else. */
export function plainName(item: Pick<ServiceItem, 'required' | 'error'>, parameter: string): string {
  const name = item.required(parameter).trim();
  if (/^\w{1,200}$/.test(name)) return name;
  throw item.error(`the parameter "${parameter}" is not a name or an ID`, 'Use letters, digits, and underscores only');
}

const displayed = choice(
  'sysparm_display_value',
  'Return Values',
  choices(['false', 'Actual Values'], ['true', 'Display Values'], ['all', 'Both']),
);
const withoutLinks = toggle(
  'sysparm_exclude_reference_link',
  'Exclude Reference Link',
  'Whether references have no link to their record',
);
const shownFields = names('sysparm_fields', 'Fields', 'Names of the fields to return; default: all', {
  typeOptions: { loadOptionsMethod: 'getColumns' },
});

/** Options of a record that is read. */
export const readOptions: NodeProperty = options([withoutLinks, shownFields, displayed]);

/** Parameters of a list of records. */
export const listOptions: readonly NodeProperty[] = [
  ...listPropertiesOf(),
  options([
    withoutLinks,
    shownFields,
    text('sysparm_query', 'Filter', 'Encoded query, such as `active=true^priority=1^ORDERBYDESCsys_created_on`'),
    displayed,
  ]),
];

/** Options as a query; the names of fields are separated by commas. */
export function queryOf(item: ServiceItem): JsonObject {
  const { sysparm_fields: _, ...query } = item.fields('options');
  const fields = namesParameter(item.context, 'options.sysparm_fields', item.index);
  return { ...query, ...(fields.length > 0 && { sysparm_fields: fields.join() }) };
}

export const recordId = (noun: string): NodeProperty =>
  text('id', `${noun} ID`, `\`sys_id\` of the ${noun.toLowerCase()}`, { required: true });
