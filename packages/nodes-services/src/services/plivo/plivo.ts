import { credentialText } from '@sluice/node-sdk';
import { choice, choices, names, namesParameter, text } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { defineService, type Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://www.plivo.com/docs/messaging/api and https://www.plivo.com/docs/voice/api */
const client = new ApiClient({
  service: 'Plivo',
  credentialType: 'plivoApi',
  baseUrl: (data) => `https://api.plivo.com/v1/Account/${encodeURIComponent(credentialText(data, 'authId').trim())}`,
});

const from = text('from', 'From', 'Your Plivo number or sender ID, such as `14155551234`', { required: true });
const to = text('to', 'To', 'Number of the recipient with its country code, such as `14157654321`', { required: true });
const message = text('message', 'Message', 'Text of the message', { typeOptions: { rows: 4 } });

const numbersOf = (item: ServiceItem) => ({ src: item.required('from').trim(), dst: item.required('to').trim() });

const sms: Resource = {
  displayName: 'SMS',
  operations: {
    send: {
      displayName: 'Send',
      description: 'Sends a text message',
      properties: [from, to, { ...message, required: true }],
      run: (item) => item.send({ path: '/Message/', json: { ...numbersOf(item), text: item.required('message') } }),
    },
  },
};

const mms: Resource = {
  displayName: 'MMS',
  operations: {
    send: {
      displayName: 'Send',
      description: 'Sends pictures or other media to a number in the US or Canada',
      properties: [
        from,
        to,
        message,
        names('media_urls', 'Media URLs', 'Addresses of the media, separated by commas', { required: true }),
      ],
      run: sendMedia,
    },
  },
};

function sendMedia(item: ServiceItem) {
  const media = namesParameter(item.context, 'media_urls', item.index);
  if (media.length === 0) throw item.error('the parameter "media_urls" is required', 'Set it to the address of a picture');
  const words = item.text('message');
  const json = { ...numbersOf(item), ...(words !== '' && { text: words }), type: 'mms', media_urls: media };
  return item.send({ path: '/Message/', json });
}

const call: Resource = {
  displayName: 'Call',
  operations: {
    make: {
      displayName: 'Make',
      description: 'Calls a number',
      properties: [
        from,
        to,
        choice('answer_method', 'Answer Method', choices(['POST', 'POST'], ['GET', 'GET'])),
        text('answer_url', 'Answer URL', 'Address that returns the Plivo XML for the call', { required: true }),
      ],
      run: (item) => {
        const { src, dst } = numbersOf(item);
        const answer = { answer_url: item.required('answer_url').trim(), answer_method: item.text('answer_method', 'POST') };
        return item.send({ path: '/Call/', json: { from: src, to: dst, ...answer } });
      },
    },
  },
};

/** Messages and calls. */
export const plivo = defineService({
  displayName: 'Plivo',
  name: 'plivo',
  version: 1,
  description: 'Sends text messages and makes calls with Plivo',
  credentials: [{ name: 'plivoApi', required: true }],
  icon: 'fa:phone',
  iconColor: 'green',
  group: ['output'],
  client,
  initial: 'sms',
  resources: { call, mms, sms },
});
