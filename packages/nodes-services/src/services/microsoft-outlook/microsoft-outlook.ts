import { isJsonObject, type JsonObject, type MethodContext, type NodePropertyOption } from '@sluice/node-sdk';
import { defineService } from '../../shared/define-service.ts';
import { graphPages } from '../../shared/microsoft-graph.ts';
import { sendAll } from '../../shared/paging.ts';
import { messageAttachment } from './attachment.ts';
import { calendar, event } from './calendar.ts';
import { draft } from './draft.ts';
import { folder, folderMessage } from './folder.ts';
import { message } from './message.ts';
import { outlookClient } from './outlook-client.ts';

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
        const found = await listOf(context, '/outlook/masterCategories');
        return found.map(({ displayName = '' }) => ({ name: String(displayName), value: String(displayName) }));
      },
      getFolders: folders,
    },
    listSearch: {
      searchFolders: async (context, filter) => ({ results: searched(await folders(context), filter) }),
      searchCalendars: async (context, filter) => {
        const found = await listOf(context, '/calendars');
        const calendars = found.map(({ id = '', name = '' }) => ({ name: String(name), value: String(id) }));
        return { results: searched(calendars, filter) };
      },
    },
  },
});

function listOf(context: MethodContext, path: string): Promise<JsonObject[]> {
  return sendAll(outlookClient, context, { path, query: { $top: 100 } }, graphPages, 1_000);
}

export async function folders(context: MethodContext): Promise<{ name: string; value: string }[]> {
  const found = await listOf(context, '/mailFolders');
  return found.filter(isJsonObject).map(({ id = '', displayName = '' }) => ({ name: String(displayName), value: String(id) }));
}

function searched<T extends NodePropertyOption>(all: readonly T[], filter = ''): T[] {
  const wanted = filter.toLowerCase();
  return all.filter(({ name, value }) => name.toLowerCase().includes(wanted) || value === filter);
}
