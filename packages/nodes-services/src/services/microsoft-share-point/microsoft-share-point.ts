import { isJsonObject, type JsonObject, type ListSearchResult, type MethodContext } from '@sluice/node-sdk';
import { defineService } from '../../shared/define-service.ts';
import { asText, objectOf } from '../../shared/json-values.ts';
import { choicesFrom, matching } from '../../shared/list-choices.ts';
import { graphPages, odataText } from '../../shared/microsoft-graph.ts';
import { sendAll } from '../../shared/paging.ts';
import { chosenId } from '../../shared/service-item.ts';
import { file } from './file.ts';
import { item } from './list-item.ts';
import { list } from './list-resource.ts';
import { part, sharePointClient } from './share-point-client.ts';

export const microsoftSharePoint = defineService({
  displayName: 'Microsoft SharePoint',
  name: 'microsoft-share-point',
  version: 1,
  description: 'Uploads and downloads files, and reads and changes lists in SharePoint',
  credentials: [{ name: 'microsoftSharePointOAuth2Api', required: true }],
  icon: 'fa:share-alt',
  iconColor: 'green',
  client: sharePointClient,
  resources: { file, item, list },
  methods: {
    listSearch: {
      getSites: async (context, filter) => ({
        results: choicesFrom(await records(context, '/sites', { search: filter || '*' }), 'displayName'),
      }),
      getFolders: (context, filter) => entriesOf(context, 'folder', filter),
      getFiles: (context, filter) => entriesOf(context, 'file', filter),
      getLists: async (context, filter) =>
        matching(choicesFrom(await records(context, `/sites/${chosen(context, 'site')}/lists`), 'displayName'), filter),
      async getItems(context, filter) {
        const path = `/sites/${chosen(context, 'site')}/lists/${chosen(context, 'list')}/items`;
        const items = await records(context, path, { $expand: 'fields($select=Title)', $select: 'id,fields' });
        const choices = items.map(({ id, fields }) => ({ name: asText(objectOf(fields)['Title']), value: asText(id) }));
        return matching(choices, filter);
      },
    },
  },
});

const chosen = (context: MethodContext, parameter: string): string => part(chosenId(context, parameter));

/** Maximum number of choices in an editor. */
const maxChoices = 1_000;

const records = (context: MethodContext, path: string, query: JsonObject = {}): Promise<JsonObject[]> =>
  sendAll(sharePointClient, context, { path, query }, graphPages, maxChoices);

/** Folders of the site, or files of the chosen folder. A filter searches the whole site. */
async function entriesOf(context: MethodContext, kind: 'folder' | 'file', filter = ''): Promise<ListSearchResult> {
  const drive = `/sites/${chosen(context, 'site')}/drive`;
  const folder = kind === 'file' ? chosen(context, 'folder') : '';
  const children = `${drive}/items/${folder || 'root'}/children`;
  const path = filter === '' ? children : `${drive}/root/search(q=${encodeURIComponent(odataText(filter))})`;
  const entries = await records(context, path, { $select: 'id,name,file,folder' });
  const choices = choicesFrom(entries.filter((one) => isJsonObject(one[kind] ?? null)));
  return { results: kind === 'folder' && filter === '' ? [{ name: 'Root', value: 'root' }, ...choices] : choices };
}
