import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Creates a contact.',
  needs: 'a Google account, connected by OAuth2 with the scope `contacts`',
  notes:
    'Enable the People API in the Google Cloud console. Google changes one contact of an account at a time: send changes of one account one after another. A search finds up to 30 contacts, and new contacts only after some minutes. Google allows 90 reads and 60 changes per minute and user, and the node waits when it reaches the limit.',
  parameters: {
    givenName: 'Ada',
    familyName: 'Lovelace',
    additionalFields: { phoneUi: { phoneValues: [{ type: 'work', value: '+44 20 7946 0000' }] } },
  },
  inputs: [[{}]],
  outputs: [
    [
      {
        contactId: 'c1',
        resourceName: 'people/c1',
        etag: '%e1',
        names: [{ familyName: 'Lovelace', givenName: 'Ada' }],
        phoneNumbers: [{ type: 'work', value: '+44 20 7946 0000' }],
      },
    ],
  ],
};
