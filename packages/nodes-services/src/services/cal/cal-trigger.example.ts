import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts the workflow for each booking.',
  needs: 'a Cal.com account with an API key (Settings → Developer → API keys), and `PUBLIC_URL` with https',
  notes:
    'The webhook is registered when the workflow is activated and removed when it is deactivated. The node chooses its secret; requests without the signature of Cal.com are refused. The item has the fields of the payload, besides `triggerEvent` and `createdAt`. Version 2 of the API of Cal.com is used. For a Cal.com of your own, set the host of the credential to the address of its API. A booking event that is sent again within 24 hours starts nothing, unless a payload template leaves out `triggerEvent`, `createdAt`, or `uid`.',
  parameters: { events: ['BOOKING_CREATED'], options: {} },
  outputs: [
    [{ triggerEvent: 'BOOKING_CREATED', createdAt: '2026-01-31T12:00:00.000Z', title: 'Call with Ada', uid: 'b1', length: 30 }],
  ],
};
