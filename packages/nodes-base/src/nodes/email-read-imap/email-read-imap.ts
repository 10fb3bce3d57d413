import { AppError, type ListenContext, type NodeType } from '@sluice/node-sdk';
import { imapError, type OpenImap, openImap } from '../../clients/imap-client.ts';
import { connectionFailed } from '../../shared/connection-failed.ts';
import { settledWithin } from '../../shared/listening/settled-within.ts';
import { whileOpening } from '../../shared/listening/while-opening.ts';
import { booleanParameter, choiceParameter, textParameter } from '../../shared/parameters.ts';
import { wholeNumber } from '../../shared/whole-number.ts';
import { emailReadImapProperties } from './email-read-imap-properties.ts';
import { MailboxReader, type MailboxReading } from './mailbox-reader.ts';
import { searchRules } from './search-rules.ts';

/** Starts with each message that arrives in a mailbox. */
export const emailReadImap: NodeType = {
  description: {
    displayName: 'Email Trigger (IMAP)',
    name: 'email-read-imap',
    group: ['trigger'],
    version: [1, 2, 2.1],
    description:
      'Starts the workflow with each message in a mailbox: first unread messages, then new messages. Each message starts one execution, even if the connection or the worker fails',
    defaults: { name: 'Email Trigger (IMAP)' },
    inputs: [],
    outputs: ['main'],
    credentials: [{ name: 'imap', required: true }],
    properties: emailReadImapProperties,
    icon: 'fa:inbox',
    iconColor: 'green',
    subtitle: '={{ $parameter["mailbox"] }}',
  },
  execute: (context) => [[...context.items()]],
  async trigger(context) {
    const reading = readingOf(context);
    const reconnectMs = wholeNumber(context, 'options.forceReconnect', 0, { from: 0, to: 1_440 }) * 60_000;
    const data = await context.credentials('imap', 0);
    const untrusted = booleanParameter(context, 'options.allowUnauthorizedCerts', 0, false);
    const opened = await whileOpening(context.signal, (signal) =>
      openImap(untrusted ? { ...data, allowUnauthorizedCerts: true } : data, context, signal),
    ).catch((error: unknown) => Promise.reject(connectionFailed(error, 'IMAP')));
    try {
      const reader = await MailboxReader.open(context, opened.client, reading);
      return followMailbox(context, opened, reader, reconnectMs);
    } catch (error) {
      await opened.close();
      throw connectionFailed(imapError(error), 'IMAP');
    }
  },
};

function readingOf(context: ListenContext): MailboxReading {
  const format = choiceParameter(context, 'format', 0, ['simple', 'resolved', 'raw'], 'simple');
  const option = 'options.dataPropertyAttachmentsPrefixName';
  const prefix = textParameter(context, 'dataPropertyAttachmentsPrefixName', 0) || textParameter(context, option, 0);
  return {
    mailbox: textParameter(context, 'mailbox', 0, 'INBOX').trim() || 'INBOX',
    format,
    withAttachments:
      format === 'resolved' || (format === 'simple' && booleanParameter(context, 'downloadAttachments', 0, false)),
    prefix: prefix || 'attachment_',
    searches: searchRules(textParameter(context, 'options.customEmailConfig', 0).trim() || '["UNSEEN"]'),
    tracks: booleanParameter(context, 'options.trackLastMessageId', 0, true),
    marksRead: choiceParameter(context, 'postProcessAction', 0, ['read', 'nothing'], 'read') === 'read',
  };
}

/** Interval between checks of a mailbox if the server sends no notification, in milliseconds. */
const checkEveryMs = 60_000;

/** Reads when the server reports messages, one round at a time. */
function followMailbox(context: ListenContext, { client, close }: OpenImap, reader: MailboxReader, reconnectMs: number) {
  let [reading, isDue, isClosed]: [Promise<void> | undefined, boolean, boolean] = [undefined, false, false];
  const round = async () => {
    while (isDue && !isClosed) {
      isDue = false;
      await reader.readNew();
    }
  };
  const fail = (error: unknown) => {
    if (!isClosed) context.failed(connectionFailed(imapError(error), 'IMAP'));
    isClosed = true;
  };
  const check = () => {
    isDue = true;
    reading ??= round()
      .catch(fail)
      .finally(() => {
        reading = undefined;
      });
  };
  client.on('exists', check);
  // If the reason is known, `error` fires before `close`.
  client.on('error', fail);
  client.once('close', () => fail(lost()));
  const timers = [setInterval(check, checkEveryMs)];
  if (reconnectMs > 0)
    timers.push(setTimeout(() => fail(lost('the connection is reopened at the node’s interval')), reconnectMs));
  check();
  return {
    async close() {
      isClosed = true;
      for (const timer of timers) clearTimeout(timer);
      await settledWithin(reading ?? Promise.resolve());
      await close();
    },
  };
}

function lost(message = 'the server closed the connection'): AppError {
  return new AppError({ code: 'CONNECTION_FAILED', message, kind: 'transient' });
}
