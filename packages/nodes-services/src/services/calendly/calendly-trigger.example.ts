import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts the workflow for each booking of the user.',
  needs:
    'a Calendly account with a paid plan, a personal access token (Calendly → Integrations & apps → API and webhooks) or an OAuth app of the developer portal, and `PUBLIC_URL` with https',
  notes:
    'The webhook subscription is registered when the workflow is activated and removed when it is deactivated. Requests without the signature of Calendly, or older than three minutes, are rejected. The node chooses the signing key of a subscription itself; with OAuth2, Calendly signs with the key of the OAuth app, which the credential must have. The scope "Organization" needs the owner or an admin of the organization. An event that Calendly sends again within 24 hours, because it got no response, starts nothing.',
  parameters: { scope: 'user', events: ['invitee.created'] },
  outputs: [
    [
      {
        event: 'invitee.created',
        created_at: '2026-01-31T12:00:00.000000Z',
        created_by: 'https://api.calendly.com/users/U1',
        payload: { uri: 'https://api.calendly.com/scheduled_events/E1/invitees/I1', email: 'ada@example.com', name: 'Ada' },
      },
    ],
  ],
};
