import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts the workflow for each booking.',
  needs: 'a Cal.com account with an API key (Settings → Developer → API keys), and `PUBLIC_URL` with https',
  notes:
    'The webhook is registered when the workflow is activated and removed when it is deactivated. The node chooses its secret; requests without a valid Cal.com signature are rejected. The item has the fields of the payload, besides `triggerEvent` and `createdAt`. Version 2 of the API of Cal.com is used. For a self-hosted Cal.com, set the host in the credential to its API URL. A booking event that is sent again within 24 hours starts nothing, unless a payload template omits `triggerEvent`, `createdAt`, or `uid`.',
  parameters: { events: ['BOOKING_CREATED'], options: {} },
  outputs: [
    [{ triggerEvent: 'BOOKING_CREATED', createdAt: '2026-01-31T12:00:00.000Z', title: 'Call with Ada', uid: 'b1', length: 30 }],
  ],
};
