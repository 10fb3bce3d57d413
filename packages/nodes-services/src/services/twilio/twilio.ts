import { collection, escapeHtml, text, toggle } from '@sluice/nodes-base/node-tools';
import { defineService, type Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { createResource, twilioClient } from './twilio-client.ts';

const numbers = [
  text('from', 'From', 'Number of the account that sends, such as +14155238886', { required: true }),
  text('to', 'To', 'Number that receives, such as +14155238886', { required: true }),
];
const options = collection('options', 'Options', [
  text('statusCallback', 'Status Callback', 'Address that Twilio sends each change of the status to'),
]);

const sms: Resource = {
  displayName: 'SMS',
  operations: {
    send: {
      displayName: 'Send',
      description: 'Sends an SMS, MMS, or WhatsApp message',
      properties: [
        ...numbers,
        toggle('toWhatsapp', 'To Whatsapp', 'Whether to send the message to WhatsApp'),
        text('message', 'Message', 'Text of the message', { required: true }),
        options,
      ],
      run: (item) =>
        createResource(item, 'Messages', {
          From: addressOf(item, 'from'),
          To: addressOf(item, 'to'),
          Body: item.required('message'),
          StatusCallback: item.optional('options.statusCallback'),
        }),
    },
  },
};

const call: Resource = {
  displayName: 'Call',
  operations: {
    make: {
      displayName: 'Make',
      description: 'Calls a number and speaks text, or follows TwiML',
      properties: [
        ...numbers,
        toggle(
          'twiml',
          'Use TwiML',
          'Whether the message is TwiML, the XML with the steps of a call, instead of text to speak',
        ),
        text('message', 'Message', 'Text to say, or TwiML', { required: true }),
        options,
      ],
      run: (item) =>
        createResource(item, 'Calls', {
          From: item.required('from'),
          To: item.required('to'),
          Twiml: stepsOf(item),
          StatusCallback: item.optional('options.statusCallback'),
        }),
    },
  },
};

export const twilio = defineService({
  displayName: 'Twilio',
  name: 'twilio',
  version: [1, 2],
  description: 'Sends SMS and WhatsApp messages, and makes phone calls',
  credentials: [{ name: 'twilioApi', required: true }],
  icon: 'fa:phone',
  iconColor: 'red',
  client: twilioClient,
  resources: { call, sms },
  initial: 'sms',
});

/** https://www.twilio.com/docs/whatsapp/api#using-phone-numbers-with-whatsapp */
function addressOf(item: ServiceItem, path: string): string {
  const number = item.required(path);
  return item.toggle('toWhatsapp') && !number.startsWith('whatsapp:') ? `whatsapp:${number}` : number;
}

/**
 * Maximum number of TwiML characters in a request:
 * https://www.twilio.com/docs/voice/api/call-resource#create-a-call-resource
 */
const maxTwimlLength = 4_000;

/** The call's TwiML. */
function stepsOf(item: ServiceItem): string {
  const message = item.required('message');
  if (message.length > maxTwimlLength) {
    const description = 'Shorten the message, or play a recording';
    throw item.error(`the message is longer than ${maxTwimlLength} characters`, description);
  }
  return item.toggle('twiml') ? message : spoken(message);
}

/** https://www.twilio.com/docs/voice/twiml/say */
function spoken(message: string): string {
  return `<Response><Say>${escapeHtml(message)}</Say></Response>`;
}
