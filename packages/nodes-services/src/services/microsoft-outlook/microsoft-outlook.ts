import type { NodePropertyOption } from '@sluice/node-sdk';
import { defineService } from '../../shared/define-service.ts';
import { messageAttachment } from './attachment.ts';
import { calendar, event } from './calendar.ts';
import { draft } from './draft.ts';
import { folder, folderMessage } from './folder.ts';
import { message } from './message.ts';
import { choicesOf, folderChoices, outlookClient } from './outlook-client.ts';

export const microsoftOutlook = defineService({
  displayName: 'Microsoft Outlook',
  name: 'microsoft-outlook',
  version: [1, 1.1, 2],
  description: 'Sends and reads messages of Outlook, and manages drafts, folders, and events',
  credentials: [{ name: 'microsoftOutlookOAuth2Api', required: true }],
  icon: 'fa:envelope',
  iconColor: 'blue',
  client: outlookClient,
  resources: { calendar, draft, event, folder, folderMessage, message, messageAttachment },
  initial: 'message',
  methods: {
    loadOptions: {
      getCategories: async (context) => {
        const found = await choicesOf(context, '/outlook/masterCategories');
        return found.map(({ displayName = '' }) => ({ name: String(displayName), value: String(displayName) }));
      },
      getFolders: folderChoices,
    },
    listSearch: {
      searchFolders: async (context, filter) => ({ results: searched(await folderChoices(context), filter) }),
      searchCalendars: async (context, filter) => {
        const found = await choicesOf(context, '/calendars');
        const calendars = found.map(({ id = '', name = '' }) => ({ name: String(name), value: String(id) }));
        return { results: searched(calendars, filter) };
      },
    },
  },
});

function searched<T extends NodePropertyOption>(all: readonly T[], filter = ''): T[] {
  const wanted = filter.toLowerCase();
  return all.filter(({ name, value }) => name.toLowerCase().includes(wanted) || value === filter);
}
