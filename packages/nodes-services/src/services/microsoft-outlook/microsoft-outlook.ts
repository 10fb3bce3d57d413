import { defineService } from '../../shared/define-service.ts';
import { choicesFrom, matching } from '../../shared/list-choices.ts';
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
  description: 'Sends and reads Outlook messages, and manages drafts, folders, and events',
  credentials: [{ name: 'microsoftOutlookOAuth2Api', required: true }],
  icon: 'fa:envelope',
  iconColor: 'blue',
  client: outlookClient,
  resources: { calendar, draft, event, folder, folderMessage, message, messageAttachment },
  initial: 'message',
  methods: {
    loadOptions: {
      getCategories: async (context) => {
        return choicesFrom(await choicesOf(context, '/outlook/masterCategories'), 'displayName', 'displayName');
      },
      getFolders: folderChoices,
    },
    listSearch: {
      searchFolders: async (context, filter) => matching(await folderChoices(context), filter),
      searchCalendars: async (context, filter) => matching(choicesFrom(await choicesOf(context, '/calendars')), filter),
    },
  },
});
