import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts the workflow for each completed checkout.',
  needs:
    'a Stripe account, a secret key or a restricted key with "Webhook Endpoints: Write" (Dashboard → Developers → API keys), and `PUBLIC_URL` with https',
  notes:
    'The webhook endpoint is registered when the workflow is activated and removed when it is deactivated. Requests without the signature of Stripe, or older than five minutes, are rejected; the signature secret comes from the registration, so the secret in the credential is not needed. An event that Stripe sends again within 24 hours starts nothing.',
  parameters: { events: ['checkout.session.completed'] },
  outputs: [[{ id: 'evt_1', type: 'checkout.session.completed', data: { object: { id: 'cs_1', amount_total: 1000 } } }]],
};
