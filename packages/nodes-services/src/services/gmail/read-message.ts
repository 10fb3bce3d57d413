import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { mailContent } from '@sluice/nodes-base/node-tools';
import { FileItem } from '../../shared/file-item.ts';
import { asText, objectOf, objectsOf } from '../../shared/json-values.ts';
import { countRead } from '../../shared/paging.ts';
import type { NodeContext, ServiceNode } from '../../shared/service-item.ts';
import { idPath } from './gmail-client.ts';

/** A node that reads messages: an item in a run, or a poll. */
export type MailNode = ServiceNode<NodeContext & Parameters<typeof mailContent>[0]>;

/** Headers of a simplified message. */
const mainHeaders = ['From', 'To', 'Cc', 'Bcc', 'Subject'];
/** Messages that are fetched concurrently: Gmail allows 50 per second and user. */
const maxConcurrentReads = 5;

/** Labels by ID, read once for all messages of an item. */
type LabelNames = ReadonlyMap<string, string>;

export async function labelNames(item: MailNode): Promise<LabelNames> {
  const { labels } = objectOf(await item.send({ path: '/labels' }));
  return new Map(objectsOf(labels).map(({ id = '', name = '' }) => [asText(id), asText(name)]));
}

/** Fetches messages in their order; stops after the first ones that exceed `enoughBytes`. */
export async function readMessages(
  item: MailNode,
  ids: readonly string[],
  isSimple: boolean,
  enoughBytes = Number.POSITIVE_INFINITY,
): Promise<FileItem[]> {
  const labels = isSimple && ids.length > 0 ? await labelNames(item) : new Map<string, string>();
  const before = item.access.listed?.bytes ?? 0;
  return readEach(
    ids,
    (id) => (isSimple ? simpleMessage(item, id, labels) : wholeMessage(item, id)),
    () => (item.access.listed?.bytes ?? 0) - before > enoughBytes,
  );
}

/** In batches and in order, until there are enough. */
export async function readEach<T>(
  ids: readonly string[],
  read: (id: string) => Promise<T>,
  isEnough = () => false,
): Promise<T[]> {
  const records: T[] = [];
  for (let start = 0; start < ids.length && !isEnough(); start += maxConcurrentReads)
    records.push(...(await Promise.all(ids.slice(start, start + maxConcurrentReads).map(read))));
  return records;
}

async function simpleMessage(item: MailNode, id: string, labels: LabelNames): Promise<FileItem> {
  const query = { format: 'metadata', metadataHeaders: mainHeaders };
  const message = simplified(objectOf(await item.send({ path: idPath('messages', id), query })), labels);
  return counted(item, new FileItem(message, {}));
}

/** A message's main headers as fields, and its labels with their names. */
export function simplified({ labelIds, payload, ...rest }: JsonObject, labels: LabelNames): JsonObject {
  const { mimeType = null, headers } = objectOf(payload);
  const ids = Array.isArray(labelIds) ? labelIds.map(asText) : [];
  return {
    ...rest,
    payload: { mimeType },
    labels: ids.map((id) => ({ id, name: labels.get(id) ?? id })),
    ...Object.fromEntries(headersIn(headers).filter(([name]) => mainHeaders.includes(name))),
  };
}

export function headersIn(headers: JsonValue | undefined): [string, string][] {
  return objectsOf(headers).map(({ name = '', value = '' }) => [asText(name), asText(value)]);
}

async function wholeMessage(item: MailNode, id: string): Promise<FileItem> {
  return parsedMessage(item, objectOf(await item.send({ path: idPath('messages', id), query: { format: 'raw' } })));
}

/** How message content is read. */
export type MailReading = Parameters<typeof mailContent>[2];

/** A message with `raw`, parsed. */
export async function parsedMessage(
  item: MailNode,
  { raw = '', ...rest }: JsonObject,
  reading: MailReading = readingOf(item),
): Promise<FileItem> {
  const content = await mailContent(item.context, Buffer.from(asText(raw), 'base64url'), reading);
  const message = content ? { ...rest, ...content.json } : { ...rest, raw };
  return counted(item, new FileItem(message, content?.binary ?? {}));
}

/** Messages are read one by one and kept in memory like a list. */
function counted(item: MailNode, message: FileItem): FileItem {
  countRead(item.access, JSON.stringify(message.json).length);
  return message;
}

function readingOf(item: MailNode): MailReading {
  return {
    format: 'resolved',
    withAttachments: item.toggle('options.downloadAttachments'),
    prefix: item.text('options.dataPropertyAttachmentsPrefixName', 'attachment_'),
  };
}

/** Header fields of a message, for a reply; names in lower case. */
export async function replyHeaders(
  item: MailNode,
  id: string,
): Promise<{ threadId: string; header: (name: string) => string }> {
  const metadataHeaders = ['From', 'To', 'Cc', 'Reply-To', 'Subject', 'Message-ID', 'References'];
  const response = objectOf(await item.send({ path: idPath('messages', id), query: { format: 'metadata', metadataHeaders } }));
  const { headers } = objectOf(response['payload']);
  const values = new Map(headersIn(headers).map(([name, value]) => [name.toLowerCase(), value.replace(/[\r\n]+/g, ' ')]));
  return { threadId: asText(response['threadId'] ?? ''), header: (name) => values.get(name) ?? '' };
}
