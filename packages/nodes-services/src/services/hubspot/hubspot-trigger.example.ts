import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts the workflow when a contact is created, or when the stage of a deal changes.',
  needs:
    'a developer account of HubSpot (developers.hubspot.com) with a legacy public app: its app ID, client ID, client secret, and the developer API key (Keys → Developer API key) in the credential, the scopes of the objects, such as `crm.objects.contacts.read` and `crm.objects.deals.read`, an account that installed the app, and `PUBLIC_URL` with https',
  notes:
    'An app has one target URL, so each workflow with this trigger needs its own app. Subscriptions are registered when the workflow is activated and removed when it is deactivated. Requests without the signature of HubSpot, or older than five minutes, are rejected. A request has up to 100 events, each of which becomes an item.',
  parameters: {
    eventsUi: { eventValues: [{ name: 'contact.creation' }, { name: 'deal.propertyChange', property: 'dealstage' }] },
  },
  outputs: [
    [
      {
        eventId: 100,
        subscriptionId: 1,
        occurredAt: 1_700_000_000_000,
        subscriptionType: 'contact.creation',
        portalId: 62,
        objectId: 123,
        contactId: 123,
      },
      {
        eventId: 101,
        subscriptionId: 2,
        occurredAt: 1_700_000_000_500,
        subscriptionType: 'deal.propertyChange',
        portalId: 62,
        propertyName: 'dealstage',
        objectId: 7,
        dealId: 7,
      },
    ],
  ],
};
