import type { JsonObject, MethodContext, NodePropertyOption } from '@sluice/node-sdk';
import { choice, choices, where } from '@sluice/nodes-base/node-tools';
import { defineService } from '../../shared/define-service.ts';
import { asText, objectsOf } from '../../shared/json-values.ts';
import { chosenId } from '../../shared/service-item.ts';
import { baserowClient, isByToken, named } from './baserow-client.ts';
import { row } from './row.ts';

export const baserow = defineService({
  displayName: 'Baserow',
  name: 'baserow',
  version: 1,
  description: 'Reads and writes rows in Baserow',
  credentials: [
    { name: 'baserowApi', required: true, ...where({ authentication: ['usernamePassword'] }) },
    { name: 'baserowTokenApi', required: true, ...where({ authentication: ['databaseToken'] }) },
  ],
  icon: 'fa:table',
  iconColor: 'blue',
  client: baserowClient,
  leading: [
    choice(
      'authentication',
      'Authentication',
      choices(['usernamePassword', 'Username and Password'], ['databaseToken', 'Database Token']),
    ),
  ],
  resources: { row },
  methods: { loadOptions: { getDatabaseIds, getTableIds, getTableFields } },
});

const listOf = async (context: MethodContext, path: string): Promise<JsonObject[]> =>
  objectsOf(await baserowClient.send(context, { path }));

/** A token can list tables, but not databases. */
async function getDatabaseIds(context: MethodContext): Promise<NodePropertyOption[]> {
  if (!isByToken(context)) {
    const all = await listOf(context, '/applications/');
    return all.filter(({ type }) => type === 'database').map(named);
  }
  const tables = await listOf(context, '/database/tables/all-tables/');
  const ids = [...new Set(tables.map(({ database_id: id = 0 }) => Number(id)))];
  return ids.map((id) => ({ name: `Database ${id}`, value: id }));
}

async function getTableIds(context: MethodContext): Promise<NodePropertyOption[]> {
  const database = chosenId(context, 'databaseId');
  if (isByToken(context)) {
    const tables = await listOf(context, '/database/tables/all-tables/');
    return tables.filter(({ database_id: id = '' }) => database === '' || asText(id) === database).map(named);
  }
  if (database === '') return [];
  return (await listOf(context, `/database/tables/database/${encodeURIComponent(database)}/`)).map(named);
}

async function getTableFields(context: MethodContext): Promise<NodePropertyOption[]> {
  const table = chosenId(context, 'tableId');
  if (table === '') return [];
  return (await listOf(context, `/database/fields/table/${encodeURIComponent(table)}/`)).map(named);
}
