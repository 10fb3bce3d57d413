import type { JsonValue } from '@sluice/node-sdk';
import type { ServiceItem } from '../../shared/service-item.ts';
import { replyHeaders } from './read-message.ts';
import { type EmailType, messageOf, ownAddress, senderOf, upload } from './write-message.ts';

/**
 * Answers a message in its thread: to the sender, and to the other recipients unless the author
 * chose otherwise.
 */
export async function reply(item: ServiceItem, messageId: string, defaultType?: EmailType): Promise<JsonValue | undefined> {
  const { threadId, header } = await replyHeaders(item, messageId);
  const own = await ownAddress(item);
  const others = (list: string) => addressesIn(list).filter((one) => !hasAddress(one, own));
  const sender = item.toggle('options.replyToRecipientsOnly') ? [] : addressesIn(header('reply-to') || header('from'));
  const isSenderOnly = item.toggle('options.replyToSenderOnly');
  const to = [...new Set(isSenderOnly ? sender : [...sender, ...others(header('to'))])].join(', ');
  const cc = isSenderOnly ? '' : others(header('cc')).join(', ');
  const addressing = { to, cc, subject: replySubject(header), ...threadHeaders(header) };
  const message = await messageOf(item, { ...addressing, ...(await senderOf(item)) }, defaultType);
  return upload(item, '/messages/send', { threadId }, message);
}

type HeaderOf = (name: string) => string;

export function replySubject(header: HeaderOf): string {
  const subject = header('subject');
  return /^re:/i.test(subject) ? subject : `Re: ${subject}`;
}

/** Headers by which mail clients group a reply with its message. */
export function threadHeaders(header: HeaderOf): { inReplyTo: string; references: string } {
  const inReplyTo = header('message-id');
  return { inReplyTo, references: [header('references'), inReplyTo].filter((one) => one !== '').join(' ') };
}

/** Splits at commas outside of quotes. */
function addressesIn(list: string): string[] {
  const addresses: string[] = [];
  let [start, isQuoted] = [0, false];
  for (let index = 0; index <= list.length; index++) {
    if (list[index] === '"') isQuoted = !isQuoted;
    if (index < list.length && (list[index] !== ',' || isQuoted)) continue;
    addresses.push(list.slice(start, index).trim());
    start = index + 1;
  }
  return addresses.filter((one) => one !== '');
}

function hasAddress(one: string, address: string): boolean {
  const bare = /<([^<>]*)>\s*$/.exec(one)?.[1] ?? one;
  return address !== '' && bare.trim().toLowerCase() === address.toLowerCase();
}
