import {
  isJsonObject,
  type JsonObject,
  type ListSearchResult,
  type MethodContext,
  type NodePropertyOption,
} from '@sluice/node-sdk';
import { choice, choices, where } from '@sluice/nodes-base/node-tools';
import { defineService } from '../../shared/define-service.ts';
import { asText, objectOf } from '../../shared/json-values.ts';
import { sendAll } from '../../shared/paging.ts';
import { chosenId } from '../../shared/service-item.ts';
import { block } from './block.ts';
import { database } from './database.ts';
import { databasePage } from './database-page.ts';
import { databaseUrl, idIn, notionClient, pageSize, pageUrl, pathOf, queried } from './notion-client.ts';
import { all } from './notion-properties.ts';
import { page } from './page.ts';
import { simplified } from './simplified.ts';
import { user } from './user.ts';

export const credentials = [
  { name: 'notionApi', required: true, ...where({ authentication: ['apiKey'] }) },
  { name: 'notionOAuth2Api', required: true, ...where({ authentication: ['oAuth2'] }) },
];
export const authentication = choice('authentication', 'Authentication', choices(['apiKey', 'API Key'], ['oAuth2', 'OAuth2']));

export const notion = defineService({
  displayName: 'Notion',
  name: 'notion',
  version: all,
  defaultVersion: 2.2,
  description: 'Reads and writes pages, databases, and blocks in Notion',
  credentials,
  icon: 'fa:book',
  client: notionClient,
  leading: [authentication],
  resources: { block, database, databasePage, page, user },
  initial: 'page',
  methods: {
    loadOptions: { getProperties: propertyOptions },
    listSearch: { getDatabases: searchDatabases },
  },
});

/** Databases by title, for editors. */
export async function searchDatabases(context: MethodContext, filter = ''): Promise<ListSearchResult> {
  const json = {
    ...(filter !== '' && { query: filter }),
    filter: { property: 'object', value: 'database' },
    page_size: pageSize,
  };
  const records = await sendAll(notionClient, context, { path: '/search', json }, queried, 500);
  return { results: records.map(toChoice) };
}

function toChoice(record: JsonObject): ListSearchResult['results'][number] {
  const { id = '', title = '' } = simplified(record, 1);
  return { name: asText(title) || 'Untitled', value: asText(id) };
}

/** Properties of the selected database, or of the selected page's database, with their types. */
async function propertyOptions(context: MethodContext): Promise<NodePropertyOption[]> {
  const id = await databaseOf(context);
  const response = id === '' ? undefined : await notionClient.send(context, { path: pathOf('databases', id) });
  const { properties } = objectOf(response);
  return Object.entries(objectOf(properties)).flatMap(([name, property]) => {
    const { type = '' } = objectOf(property);
    return [{ name, value: `${name}|${asText(type)}` }];
  });
}

async function databaseOf(context: MethodContext): Promise<string> {
  const database = chosenId(context, 'databaseId', databaseUrl);
  if (database !== '') return idIn(database, databaseUrl);
  const page = chosenId(context, 'pageId', pageUrl);
  if (page === '') return '';
  const response = await notionClient.send(context, { path: pathOf('pages', idIn(page, pageUrl)) });
  const { parent } = objectOf(response);
  return isJsonObject(parent) ? asText(parent['database_id']) : '';
}
