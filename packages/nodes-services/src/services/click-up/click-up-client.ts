import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { parseDate, text, toggle, where } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { objectOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://developer.clickup.com/reference, version 2 */
export const clickUpClient = new ApiClient({
  service: 'ClickUp',
  credentialType: ({ parameter }) =>
    parameter<string>('authentication', 'accessToken') === 'oAuth2' ? 'clickUpOAuth2Api' : 'clickUpApi',
  baseUrl: 'https://api.clickup.com/api/v2',
  refusalOf({ status, headers, body }) {
    const { err, ECODE: code } = objectOf(body);
    const resetMs = Number(headers['x-ratelimit-reset'] ?? 0) * 1_000 - Date.now();
    return {
      ...(typeof code === 'string' && { code }),
      ...(typeof err === 'string' && { text: err }),
      ...(status === 429 && { retryAfterMs: Math.max(1_000, resetMs) }),
    };
  },
});

/** A property with an ID whose choices editors load. */
export const chosen = (name: string, displayName: string, method: string, more: Partial<NodeProperty> = {}): NodeProperty =>
  text(name, displayName, `ID of the ${displayName.toLowerCase()}`, { typeOptions: { loadOptionsMethod: method }, ...more });

export const team = chosen('team', 'Team', 'getTeams');
export const space = chosen('space', 'Space', 'getSpaces');
export const folderless = toggle('folderless', 'Folderless List', 'Whether the list is in no folder');
export const folder = chosen('folder', 'Folder', 'getFolders', where({ folderless: [false] }));
export const list = chosen('list', 'List', 'getLists', { required: true });
/** Parameters that locate a list; requests only need the last one. */
export const place: readonly NodeProperty[] = [team, space, folderless, folder, list];

export const listProperties = listPropertiesOf();

/** Path of an object that a parameter names. */
export const pathOf = (item: ServiceItem, kind: string, parameter: string, more = ''): string =>
  `/${kind}/${encodeURIComponent(item.id(parameter))}${more}`;

/** A time in milliseconds, as ClickUp expects it. */
export function timeOf(item: ServiceItem, value: JsonValue): number {
  const at = parseDate(typeof value === 'string' ? value.slice(0, 100) : value, item.context.workflow.timezone);
  if (at !== undefined) return at;
  throw item.error('a date cannot be read', 'Set it to a date such as 2026-01-31T14:00:00');
}

const names: ReadonlyMap<string, string> = new Map([
  ['parentId', 'parent'],
  ['notifyAll', 'notify_all'],
  ['timeEstimate', 'time_estimate'],
  ['dueDateTime', 'due_date_time'],
  ['startDateTime', 'start_date_time'],
]);

/** A collection's members under their API names; dates as milliseconds. */
export function membersOf(item: ServiceItem, fields: JsonObject): JsonObject {
  const { dueDate, startDate, content, isMarkdownContent, customFieldsJson: _, ...others } = fields;
  const named = Object.entries(others).map(([name, value]) => [names.get(name) ?? name, value] as const);
  return {
    ...Object.fromEntries(named),
    ...(content !== undefined && { [isMarkdownContent === true ? 'markdown_content' : 'content']: content }),
    ...(dueDate !== undefined && { due_date: timeOf(item, dueDate) }),
    ...(startDate !== undefined && { start_date: timeOf(item, startDate) }),
  };
}
