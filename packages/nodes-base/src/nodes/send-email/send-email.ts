import {
  type ExecuteContext,
  type Item,
  isJsonObject,
  type JsonObject,
  type NodeType,
  type UnsupportedUse,
} from '@sluice/node-sdk';
import type { Transporter } from 'nodemailer';
import { createSmtpTransport } from '../../clients/smtp-client.ts';
import { booleanParameter, choiceParameter, refuseUnsupported } from '../../shared/parameters.ts';
import { mapItemsAsync } from '../../shared/per-item-async.ts';
import { readMessage } from './read-message.ts';
import { sendEmailProperties, sendEmailVersions } from './send-email-properties.ts';
import { smtpError } from './smtp-error.ts';

const unsupportedUses: readonly UnsupportedUse[] = [
  {
    parameter: 'operation',
    values: ['sendAndWait'],
    what: 'sending an email and waiting for a response',
    hint: 'Send a link to "$execution.resumeUrl", and wait for the request with a Wait node',
  },
];

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
  unsupported: unsupportedUses,
  async execute(context) {
    const transports = new Map<boolean, Transporter>();
    try {
      return [await mapItemsAsync(context, (_, itemIndex) => sendItem(context, itemIndex, transports))];
    } finally {
      for (const transport of transports.values()) transport.close();
    }
  },
};

async function sendItem(context: ExecuteContext, itemIndex: number, transports: Map<boolean, Transporter>): Promise<Item> {
  if (context.typeVersion >= 2) refuseWaiting(context, itemIndex);
  const message = readMessage(context, itemIndex);
  const insecure = booleanParameter(context, 'options.allowUnauthorizedCerts', itemIndex, false);
  const transport = transports.get(insecure) ?? (await connectSmtp(context, itemIndex, insecure));
  transports.set(insecure, transport);
  try {
    return { json: answerOf(await transport.sendMail(message)), pairedItem: { item: itemIndex } };
  } catch (error) {
    context.signal.throwIfAborted();
    throw smtpError(error, itemIndex);
  }
}

function refuseWaiting(context: ExecuteContext, itemIndex: number): void {
  refuseUnsupported(context, unsupportedUses, itemIndex);
  choiceParameter(context, 'operation', itemIndex, ['send'], 'send');
}

async function connectSmtp(context: ExecuteContext, itemIndex: number, insecure: boolean): Promise<Transporter> {
  const data = await context.credentials('smtp', itemIndex);
  const settings = insecure ? { ...data, allowUnauthorizedCerts: true } : data;
  return createSmtpTransport(settings, { connect: (...to) => context.connect(...to) }, context.signal, { keep: true });
}

/** The server's response and the envelope that was sent. */
function answerOf(info: unknown): JsonObject {
  const answer: unknown = JSON.parse(JSON.stringify(info ?? {}));
  return isJsonObject(answer) ? answer : {};
}
