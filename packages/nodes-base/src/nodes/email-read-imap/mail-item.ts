import {
  type BinaryReference,
  type Item,
  isAppError,
  type JsonObject,
  type JsonValue,
  type ListenContext,
} from '@sluice/node-sdk';
import type { Address, Attachment, Email } from 'postal-mime';
import { runFormat } from '../../formats/run-format.ts';
import { setOwn } from '../../shared/field-path.ts';

type MailFormat = 'raw' | 'resolved' | 'simple';

export interface MailReading {
  format: MailFormat;
  /** Whether to add attachments as files of the item. */
  withAttachments: boolean;
  /** Prefix of their names in the item; a number follows. */
  prefix: string;
}

/** A fetched message. */
export interface FetchedMail {
  uid: number;
  flags: readonly string[];
  /** Bytes of the message, possibly truncated. */
  source: Uint8Array;
  /** Whether `source` is truncated. */
  isCut: boolean;
}

/** Maximum size of a mail that is parsed in a few milliseconds, in bytes. */
const maxInline = 64 * 1024;
const maxAttachments = 1_000;

type MailContext = Pick<ListenContext, 'binary' | 'signal' | 'workflow'>;

/**
 * Converts a message to an item. Attachments of a truncated message, and those over the size limit,
 * are omitted, and `attachmentsOmitted` is set.
 */
export async function mailItem(context: MailContext, mail: FetchedMail, reading: MailReading): Promise<Item> {
  const attributes = { uid: mail.uid, flags: [...mail.flags], ...(mail.isCut && { truncated: true }) };
  const raw = Buffer.from(mail.source.buffer, mail.source.byteOffset, mail.source.byteLength);
  if (reading.format === 'raw') return { json: { raw: raw.toString('base64url'), attributes } };
  const content = await mailContent(context, mail.source, {
    ...reading,
    withAttachments: reading.withAttachments && !mail.isCut,
  });
  if (!content) return { json: { raw: raw.toString('base64url'), attributes: { ...attributes, unreadable: true } } };
  const { json, binary, isComplete } = content;
  const isOmitted = reading.withAttachments && !isComplete;
  return { json: { ...json, attributes, ...(isOmitted && { attachmentsOmitted: true }) }, ...(binary && { binary }) };
}

/** A message's content as JSON, and its attachments as files. */
interface MailContent extends Pick<Item, 'json' | 'binary'> {
  /** Whether `binary` contains all attachments. */
  isComplete: boolean;
}

/**
 * Reads a message's bytes; `undefined` if they are not a message. Attachments over the size limit
 * are omitted.
 */
export async function mailContent(
  context: MailContext,
  source: Uint8Array,
  { format, withAttachments, prefix }: MailReading,
): Promise<MailContent | undefined> {
  const parsed = await parse(context, source);
  if (!parsed) return undefined;
  const json = format === 'simple' ? simple(parsed) : resolved(parsed);
  if (parsed.attachments.length === 0) return { json, isComplete: true };
  const binary = withAttachments ? await storeAttachments(context, parsed.attachments, prefix) : undefined;
  return { json, ...(binary && { binary }), isComplete: binary !== undefined };
}

/**
 * `undefined` if the mail cannot be read. Large mails are parsed on a thread. Throws the signal's
 * reason.
 */
async function parse(context: MailContext, source: Uint8Array): Promise<Email | undefined> {
  try {
    if (source.length > maxInline) return (await runFormat(context, 'readMail', { source }))[0];
    const { readMail } = await import('../../formats/read-mail.ts');
    return await readMail({ source });
  } catch {
    context.signal.throwIfAborted();
    return undefined;
  }
}

function simple(mail: Email): JsonObject {
  return {
    ...present({
      from: addressText(mail.from && [mail.from]),
      to: addressText(mail.to),
      cc: addressText(mail.cc),
      replyTo: addressText(mail.replyTo),
      subject: mail.subject,
      date: mail.date,
      messageId: mail.messageId,
      textPlain: mail.text,
      textHtml: mail.html,
    }),
    metadata: headersOf(mail),
  };
}

function resolved(mail: Email): JsonObject {
  return {
    ...present({
      from: addresses(mail.from && [mail.from]),
      to: addresses(mail.to),
      cc: addresses(mail.cc),
      bcc: addresses(mail.bcc),
      replyTo: addresses(mail.replyTo),
      subject: mail.subject,
      date: mail.date,
      messageId: mail.messageId,
      inReplyTo: mail.inReplyTo,
      references: mail.references,
      text: mail.text,
      html: mail.html,
    }),
    headers: headersOf(mail),
    attachments: mail.attachments.map(({ filename, mimeType, disposition, contentId }) =>
      present({ fileName: filename ?? undefined, mimeType, disposition: disposition ?? undefined, contentId }),
    ),
  };
}

function present(fields: Record<string, JsonValue | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

/** Names are in lower case; a repeated header is a list. */
function headersOf({ headers }: Email): JsonObject {
  const values = Map.groupBy(headers, ({ key }) => key);
  const json: JsonObject = {};
  for (const [name, list] of values)
    setOwn(json, name, list.length === 1 ? (list[0]?.value ?? '') : list.map(({ value }) => value));
  return json;
}

function addressText(list: readonly Address[] | undefined): string | undefined {
  return list?.map(oneText).join(', ');
}

function oneText({ name, address, group }: Address): string {
  if (group) return `${name}: ${group.map(oneText).join(', ')};`;
  if (name === '') return address;
  return `${/[",;:<>@()[\]\\]/.test(name) ? JSON.stringify(name) : name} <${address}>`;
}

function addresses(list: readonly Address[] | undefined): JsonValue | undefined {
  return list && { value: list.flatMap(flat), text: addressText(list) ?? '' };
}

function flat({ name, address, group }: Address): JsonObject[] {
  return group ? group.flatMap(flat) : [{ name, address }];
}

/** `undefined` if an attachment, or all of them together, are too large. */
async function storeAttachments(
  { binary }: MailContext,
  attachments: readonly Attachment[],
  prefix: string,
): Promise<Record<string, BinaryReference> | undefined> {
  if (attachments.length > maxAttachments) return undefined;
  const files: [string, BinaryReference][] = [];
  try {
    for (const [index, { filename, mimeType, content }] of attachments.entries()) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
      files.push([`${prefix}${index}`, await binary.store(bytes, { ...(filename && { fileName: filename }), mimeType })]);
    }
  } catch (error) {
    if (isAppError(error) && error.code === 'BINARY_TOO_LARGE') return undefined;
    throw error;
  }
  return Object.fromEntries(files);
}
