import { defineService } from '../../shared/define-service.ts';
import { objectOf, textOf } from '../../shared/json-values.ts';
import { cursorPaging, sendAll } from '../../shared/paging.ts';
import { contact } from './contact.ts';
import { contactsClient } from './google-contacts-client.ts';

const maxGroups = 1_000;

export const googleContacts = defineService({
  displayName: 'Google Contacts',
  name: 'google-contacts',
  version: 1,
  description: 'Reads and changes contacts of a Google account',
  credentials: [{ name: 'googleContactsOAuth2Api', required: true }],
  icon: 'fa:address-book',
  iconColor: 'blue',
  client: contactsClient,
  resources: { contact },
  methods: {
    loadOptions: {
      getGroups: async (context) => {
        const request = { path: '/contactGroups', query: { pageSize: 100 } };
        const paging = cursorPaging('contactGroups', 'nextPageToken', 'pageToken');
        const groups = await sendAll(contactsClient, context, request, paging, maxGroups);
        return groups.map((group) => {
          const { resourceName, name } = objectOf(group);
          return { name: textOf(name), value: textOf(resourceName).replace(/^contactGroups\//, '') };
        });
      },
    },
  },
});
