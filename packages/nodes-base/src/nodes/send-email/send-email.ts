import {
  type ExecuteContext,
  type Item,
  isJsonObject,
  type JsonObject,
  type NodeOutput,
  type NodeType,
} from '@sluice/node-sdk';
import type { SendMailOptions, Transporter } from 'nodemailer';
import { createSmtpTransport } from '../../clients/smtp-client.ts';
import { booleanParameter, choiceParameter, requiredText } from '../../shared/parameters.ts';
import { failureOfAllOrThrow, mapItemsAsync } from '../../shared/per-item-async.ts';
import { answeredItems, questionHtml, questionOf } from '../../shared/send-and-wait.ts';
import { envelopeOf, readMessage } from './read-message.ts';
import { sendEmailProperties, sendEmailVersions } from './send-email-properties.ts';
import { smtpError } from './smtp-error.ts';

/** Sends one message per item, one after another, and returns the server's responses. */
export const sendEmail: NodeType = {
  description: {
    displayName: 'Send Email',
    name: 'send-email',
    group: ['output'],
    version: sendEmailVersions,
    description: 'Sends an email over SMTP',
    defaults: { name: 'Send Email' },
    usableAsTool: true,
    inputs: ['main'],
    outputs: ['main'],
    properties: sendEmailProperties,
    icon: 'fa:envelope',
    iconColor: 'green',
    subtitle: '={{ $parameter["toEmail"] }}',
  },
  async execute(context) {
    const transports = new Map<boolean, Transporter>();
    try {
      if (isQuestion(context)) return await sendQuestion(context, transports);
      return [await mapItemsAsync(context, (_, itemIndex) => sendItem(context, itemIndex, transports))];
    } finally {
      for (const transport of transports.values()) transport.close();
    }
  },
  resume: answeredItems,
};

function isQuestion(context: ExecuteContext): boolean {
  if (context.typeVersion < 2 || context.items().length === 0) return false;
  return choiceParameter(context, 'operation', 0, ['send', 'sendAndWait'], 'send') === 'sendAndWait';
}

/** One message for all items. */
async function sendQuestion(context: ExecuteContext, transports: Map<boolean, Transporter>): Promise<NodeOutput> {
  try {
    const question = questionOf(context, requiredText(context, 'message', 0));
    await send(context, 0, transports, { ...envelopeOf(context, 0), html: questionHtml(question) });
    context.suspend(question.suspension);
    return [];
  } catch (error) {
    return [[failureOfAllOrThrow(context, error)]];
  }
}

async function sendItem(context: ExecuteContext, itemIndex: number, transports: Map<boolean, Transporter>): Promise<Item> {
  if (context.typeVersion >= 2) choiceParameter(context, 'operation', itemIndex, ['send'], 'send');
  const json = responseOf(await send(context, itemIndex, transports, readMessage(context, itemIndex)));
  return { json, pairedItem: { item: itemIndex } };
}

/** Connects for the first message. Resolves to the server's response. */
async function send(
  context: ExecuteContext,
  itemIndex: number,
  transports: Map<boolean, Transporter>,
  message: SendMailOptions,
): Promise<unknown> {
  const insecure = booleanParameter(context, 'options.allowUnauthorizedCerts', itemIndex, false);
  const transport = transports.get(insecure) ?? (await connectSmtp(context, itemIndex, insecure));
  transports.set(insecure, transport);
  try {
    return await transport.sendMail(message);
  } catch (error) {
    context.signal.throwIfAborted();
    throw smtpError(error, itemIndex);
  }
}

async function connectSmtp(context: ExecuteContext, itemIndex: number, insecure: boolean): Promise<Transporter> {
  const data = await context.credentials('smtp', itemIndex);
  const settings = insecure ? { ...data, allowUnauthorizedCerts: true } : data;
  return createSmtpTransport(settings, { connect: (...to) => context.connect(...to) }, context.signal, { keep: true });
}

/** The server's response and the envelope that was sent. */
function responseOf(info: unknown): JsonObject {
  const response: unknown = JSON.parse(JSON.stringify(info ?? {}));
  return isJsonObject(response) ? response : {};
}
