import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts the workflow for each message to a number of the business account.',
  needs: 'an app with WhatsApp at Meta, its ID and secret, and `PUBLIC_URL` with https',
  notes: [
    'Setup: the client ID and the client secret of the credential are the app ID and the app secret under **App settings > Basic**.',
    'Activation subscribes the app to the changes, and verifies the address. The app must also be subscribed to the business account:',
    'the app dashboard does that under **WhatsApp > Configuration**.',
    '',
    'The credential has no scopes, because it acts as the app. The token that subscribes the app to the business account needs `whatsapp_business_management`,',
    'and `whatsapp_business_messaging` for messages.',
    '',
    'Meta sends the changes of an app to one URL only: activate one workflow for each app. Requests without a valid `X-Hub-Signature-256` are rejected.',
  ].join('\n'),
  parameters: { updates: ['messages'], options: {} },
  outputs: [
    [
      {
        messaging_product: 'whatsapp',
        metadata: { phone_number_id: '15550001' },
        messages: [{ from: '14155238886', id: 'wamid.2', type: 'text', text: { body: 'Hi' } }],
        field: 'messages',
      },
    ],
  ],
};
