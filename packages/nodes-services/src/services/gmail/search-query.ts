import type { JsonValue } from '@sluice/node-sdk';
import { namesParameter } from '@sluice/nodes-base/node-tools';
import type { ServiceNode } from '../../shared/service-item.ts';

/** Query parameters for the filters: https://support.google.com/mail/answer/7190 */
export async function searchQuery(item: ServiceNode): Promise<Record<string, JsonValue | undefined>> {
  const status = item.text('filters.readStatus', 'both');
  const senders = namesParameter(item.context, 'filters.sender', item.index).map((sender) => `from:${sender}`);
  const terms = [
    item.text('filters.q'),
    ...(status === 'both' ? [] : [`is:${status}`]),
    senders.length > 1 ? `{${senders.join(' ')}}` : senders.join(),
    ...(await timeTerm(item, 'after', 'filters.receivedAfter')),
    ...(await timeTerm(item, 'before', 'filters.receivedBefore')),
  ];
  return {
    q: terms.filter((term) => term !== '').join(' '),
    labelIds: namesParameter(item.context, 'filters.labelIds', item.index),
    includeSpamTrash: item.toggle('filters.includeSpamTrash') ? 'true' : undefined,
  };
}

/** Gmail accepts seconds since 1970. It would interpret a date in the account's time zone. */
async function timeTerm(item: ServiceNode, name: string, path: string): Promise<string[]> {
  const seconds = await item.seconds(path);
  return seconds === undefined ? [] : [`${name}:${seconds}`];
}
