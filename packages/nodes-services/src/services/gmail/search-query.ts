import type { JsonValue } from '@sluice/node-sdk';
import { namesParameter } from '@sluice/nodes-base/node-tools';
import type { ServiceNode } from '../../shared/service-item.ts';

/** Query parameters of the filters: https://support.google.com/mail/answer/7190 */
export function searchQuery(item: ServiceNode): Record<string, JsonValue | undefined> {
  const status = item.text('filters.readStatus', 'both');
  const senders = namesParameter(item.context, 'filters.sender', item.index).map((sender) => `from:${sender}`);
  const terms = [
    item.text('filters.q'),
    ...(status === 'both' ? [] : [`is:${status}`]),
    senders.length > 1 ? `{${senders.join(' ')}}` : senders.join(),
    ...timeTerm(item, 'after', 'filters.receivedAfter'),
    ...timeTerm(item, 'before', 'filters.receivedBefore'),
  ];
  return {
    q: terms.filter((term) => term !== '').join(' '),
    labelIds: namesParameter(item.context, 'filters.labelIds', item.index),
    includeSpamTrash: item.toggle('filters.includeSpamTrash') ? 'true' : undefined,
  };
}

/** Gmail takes seconds since 1970. */
function timeTerm(item: ServiceNode, name: string, path: string): string[] {
  const value = item.text(path);
  if (value === '') return [];
  const seconds = /^\d{9,10}$/.test(value) ? Number(value) : Math.floor(Date.parse(value) / 1000);
  if (Number.isFinite(seconds)) return [`${name}:${seconds}`];
  throw item.error(`the parameter "${path}" is not a date`, 'Set it to a date such as 2026-01-31T12:00:00Z');
}
