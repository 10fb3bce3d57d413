import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { googleClient } from '../../shared/google-client.ts';
import { asText } from '../../shared/json-values.ts';
import { cursorPaging } from '../../shared/paging.ts';
import type { ServiceNode } from '../../shared/service-item.ts';

const origin = 'https://gmail.googleapis.com';

/** https://developers.google.com/workspace/gmail/api/reference/rest */
export const gmailClient = googleClient('Gmail', `${origin}/gmail/v1/users/me`, 'gmailOAuth2');

/** Uploads are the only way to send more than 5 MB. */
export const uploadUrl = (path: string): string => `${origin}/upload/gmail/v1/users/me${path}`;

export const idPath = (kind: string, id: string, action = ''): string => `/${kind}/${encodeURIComponent(id)}${action}`;

/** Elements of a list. Default limit: `returnAll` and `limit`. */
export function listed(
  item: ServiceNode,
  kind: string,
  query: Record<string, JsonValue | undefined> = {},
  limit = item.limit(),
): Promise<JsonObject[]> {
  const sized = { ...query, maxResults: asText(Math.min(limit, 500)) };
  return item.list({ path: `/${kind}`, query: sized }, cursorPaging(kind, 'nextPageToken', 'pageToken'), limit);
}

/** Adds and removes labels. */
export function modify(
  item: ServiceNode,
  path: string,
  addLabelIds: readonly string[],
  removeLabelIds: readonly string[] = [],
) {
  return item.send({
    path: `${path}/modify`,
    json: {
      ...(addLabelIds.length > 0 && { addLabelIds: [...addLabelIds] }),
      ...(removeLabelIds.length > 0 && { removeLabelIds: [...removeLabelIds] }),
    },
  });
}
