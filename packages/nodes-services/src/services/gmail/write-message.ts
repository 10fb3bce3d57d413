import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { addressList, attachedFiles, choiceParameter, composeMail, namesParameter } from '@sluice/nodes-base/node-tools';
import { asText, commaSeparated } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { uploadUrl } from './gmail-client.ts';

/** Headers that the operation sets. */
interface Addressing {
  to?: string;
  cc?: string;
  subject: string;
  inReplyTo?: string;
  references?: string;
  from?: string;
}

/** The first version has a list of addresses, and plain text alongside HTML. */
const isFirst = ({ version }: ServiceItem): boolean => version < 2;
const groupOf = (item: ServiceItem): string => (isFirst(item) ? 'additionalFields' : 'options');

export type EmailType = 'text' | 'html';

/**
 * The message from the parameters (RFC 5322). `defaultType`: its type, unless the author selected a
 * type.
 */
export async function messageOf(
  item: ServiceItem,
  { to, cc = '', ...headers }: Addressing,
  defaultType: EmailType = 'html',
): Promise<Buffer> {
  const content = contentOf(item, defaultType);
  const group = groupOf(item);
  const copies = [cc, addressesIn(item, `${group}.ccList`)].filter((one) => one !== '').join(', ');
  const files = item
    .entries(`${group}.attachmentsUi.attachmentsBinary`)
    .flatMap(({ property = 'data' }) => commaSeparated(property));
  const names = [...new Set(files.map((name) => name.trim()).filter((name) => name !== ''))];
  return composeMail({
    ...headers,
    subject: headers.subject.replace(/[\r\n]+/g, ' '),
    ...(to !== undefined && to !== '' && { to }),
    ...(copies !== '' && { cc: copies }),
    bcc: addressesIn(item, `${group}.bccList`),
    replyTo: addressesIn(item, `${group}.replyTo`),
    ...content,
    attachments: attachedFiles(item.context, item.index, names, content.html ?? ''),
  });
}

function contentOf(item: ServiceItem, defaultType: EmailType): { text?: string; html?: string } {
  const message = item.text('message');
  if (isFirst(item)) return { text: message, ...(item.toggle('includeHtml') && { html: item.text('htmlMessage') }) };
  const isHtml = choiceParameter(item.context, 'emailType', item.index, ['text', 'html'], defaultType) === 'html';
  return isHtml ? { html: message } : { text: message };
}

/** Addresses from a string or a list. */
export function addressesIn(item: ServiceItem, path: string): string {
  const value = item.context.parameter<JsonValue>(path, item.index) ?? '';
  const text = Array.isArray(value) ? namesParameter(item.context, path, item.index).join(', ') : item.text(path);
  return addressList(path, text, item.index);
}

/** The account's `Name <address>`, if the author set a name; otherwise Gmail sets the sender. */
export async function senderOf(item: ServiceItem, alias = ''): Promise<{ from?: string }> {
  const name = item
    .text(`${groupOf(item)}.senderName`)
    .replace(/[\r\n"\\]/g, ' ')
    .trim();
  if (name === '' && alias === '') return {};
  const account = alias === '' ? await ownAddress(item) : addressList('options.fromAlias', alias, item.index);
  return { from: name === '' ? account : `"${name}" <${account}>` };
}

export async function ownAddress(item: ServiceItem): Promise<string> {
  const profile = (await item.send({ path: '/profile' })) as JsonObject;
  return asText(profile['emailAddress'] ?? '');
}

/** Does not occur in messages: the boundaries of their parts have another format. */
const boundary = 'sluice-related-parts-of-an-upload';

/**
 * Uploads a message with its metadata:
 * https://developers.google.com/workspace/gmail/api/guides/uploads#multipart
 */
export function upload(item: ServiceItem, path: string, metadata: JsonObject, message: Buffer): Promise<JsonValue | undefined> {
  const head = `--${boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(metadata)}\r\n`;
  const start = `${head}--${boundary}\r\nContent-Type: message/rfc822\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(start), message, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return item.send({
    method: 'POST',
    path: uploadUrl(path),
    query: { uploadType: 'multipart' },
    bytes: { body, contentType: `multipart/related; boundary=${boundary}` },
  });
}
