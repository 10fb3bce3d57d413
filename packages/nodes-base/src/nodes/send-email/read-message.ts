import { Readable } from 'node:stream';
import { type ExecuteContext, NodeOperationError } from '@sluice/node-sdk';
import type { SendMailOptions } from 'nodemailer';
import { binaryOf } from '../../shared/binary-files.ts';
import { choiceParameter, namesParameter, requiredText, textParameter } from '../../shared/parameters.ts';

/**
 * Builds the message from the parameters; files are opened when it is sent. Throws
 * `NodeOperationError`s that contain the parameter name.
 */
export function readMessage(context: ExecuteContext, itemIndex: number): SendMailOptions {
  const written = content(context, itemIndex);
  return {
    ...envelopeOf(context, itemIndex),
    ...written,
    attachments: attachmentsOf(context, itemIndex, written.html ?? ''),
  };
}

/** Addresses and subject. Throws as `readMessage` does. */
export function envelopeOf(context: ExecuteContext, itemIndex: number): SendMailOptions {
  const inOptions = context.typeVersion >= 2 ? 'options.' : '';
  const address = (path: string) => addressList(path, textParameter(context, path, itemIndex), itemIndex);
  return {
    from: addressList('fromEmail', requiredText(context, 'fromEmail', itemIndex), itemIndex),
    to: addressList('toEmail', requiredText(context, 'toEmail', itemIndex), itemIndex),
    ...addressField('cc', address(`${inOptions}ccEmail`)),
    ...addressField('bcc', address(`${inOptions}bccEmail`)),
    ...addressField('replyTo', address('options.replyTo')),
    subject: textParameter(context, 'subject', itemIndex).replace(/[\r\n]+/g, ' '),
  };
}

/** Rejects line breaks, which would end the header and inject another one. */
export function addressList(path: string, text: string, itemIndex: number): string {
  if (!/[\r\n]/.test(text.trim())) return text.trim();
  throw new NodeOperationError(`the parameter "${path}" has a line break, which is not allowed in addresses`, {
    itemIndex,
    description: 'Separate addresses with commas',
  });
}

function addressField(field: 'cc' | 'bcc' | 'replyTo', text: string): SendMailOptions {
  return text === '' ? {} : { [field]: text };
}

/** Version 1 uses the filled-in fields, later versions the selected format. */
function content(context: ExecuteContext, itemIndex: number): { text?: string; html?: string } {
  const text = () => textParameter(context, 'text', itemIndex);
  const html = () => textParameter(context, 'html', itemIndex);
  if (context.typeVersion === 1) return { ...(text() && { text: text() }), ...(html() && { html: html() }) };
  const initial = context.typeVersion === 2 ? 'text' : 'html';
  const format = choiceParameter(context, 'emailFormat', itemIndex, ['text', 'html', 'both'], initial);
  return { ...(format !== 'html' && { text: text() }), ...(format !== 'text' && { html: html() }) };
}

function attachmentsOf(context: ExecuteContext, itemIndex: number, html: string): NonNullable<SendMailOptions['attachments']> {
  const paths = context.typeVersion >= 2 ? ['options.attachments', 'options.fileAttachments'] : ['attachments'];
  const names = new Set(paths.flatMap((path) => namesParameter(context, path, itemIndex)));
  return attachedFiles(context, itemIndex, [...names], html);
}

/** The item's files; files that the HTML shows, by `cid:` and the field name, are inline. */
export function attachedFiles(
  context: ExecuteContext,
  itemIndex: number,
  names: readonly string[],
  html: string,
): NonNullable<SendMailOptions['attachments']> {
  return names.map((name) => {
    const file = binaryOf(context, itemIndex, name);
    return {
      filename: file.fileName ?? name,
      contentType: file.mimeType.replace(/[\r\n]/g, ''),
      ...(html.includes(`cid:${name}`) && { cid: name.replace(/[\r\n<>]/g, '') }),
      content: Readable.from(bytesOf(context, file)),
    };
  });
}

/** Opened when the first byte is read. */
async function* bytesOf(
  { binary }: ExecuteContext,
  file: Parameters<ExecuteContext['binary']['open']>[0],
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* await binary.open(file);
}
