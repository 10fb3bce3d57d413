import { text } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { objectOf } from '../../shared/json-values.ts';
import type { Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

const hints: ReadonlyMap<string, string> = new Map([
  ['item_name_in_use', 'The folder has an entry with this name: choose another name, or delete the entry first'],
]);

/** https://developer.box.com/reference */
export const client = new ApiClient({
  service: 'Box',
  credentialType: 'boxOAuth2Api',
  baseUrl: 'https://api.box.com/2.0',
  refusalOf({ body }) {
    const { code, message } = objectOf(body);
    const hint = typeof code === 'string' ? hints.get(code) : undefined;
    return {
      ...(typeof code === 'string' && { code }),
      ...(typeof message === 'string' && { text: message }),
      ...(hint !== undefined && { hint }),
    };
  },
});

export const uploadUrl = 'https://upload.box.com/api/2.0/files/content';

/** The root folder. */
const root = '0';
export const parentProperty = text('parentId', 'Parent ID', 'ID of the folder; default: the root folder');
export const parentOf = (item: ServiceItem, path = 'parentId') => ({ id: item.text(path).trim() || root });
export const idPath = (item: ServiceItem, name: string) => encodeURIComponent(item.required(name).trim());

export const pageSize = 100;
export const pages: Paging = {
  list: 'entries',
  next({ body }, count) {
    const { total_count: total } = objectOf(body);
    return typeof total === 'number' && count > 0 && count < total && count % pageSize === 0
      ? { query: { offset: count } }
      : undefined;
  },
};
