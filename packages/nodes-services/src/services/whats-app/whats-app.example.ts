import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Sends a message to a user who wrote in the last 24 hours.',
  needs: 'an app with WhatsApp at Meta, and an access token',
  notes: [
    'Setup: in the [app dashboard](https://developers.facebook.com/apps), create an app, add **WhatsApp**, and note the phone number ID and the',
    'business account ID under **API Setup**. The token there ends after a day: for a lasting one, create a system user in the business settings,',
    'give it the app and the account, and generate a token with the scopes below.',
    '',
    'Scopes: `whatsapp_business_messaging` for messages and media; `whatsapp_business_management` for the lists of phone numbers and templates.',
    '',
    'WhatsApp limits: 80 messages per second for a number, one every 6 seconds to the same user; images of 5 MB, audio and video of 16 MB, documents of 100 MB.',
  ].join('\n'),
  parameters: {
    operation: 'send',
    phoneNumberId: '15550001',
    recipientPhoneNumber: '+1 (415) 523-8886',
    textBody: 'Hello',
    additionalFields: {},
  },
  inputs: [[{}]],
  outputs: [
    [
      {
        messaging_product: 'whatsapp',
        contacts: [{ input: '14155238886', wa_id: '14155238886' }],
        messages: [{ id: 'wamid.1' }],
      },
    ],
  ],
};
