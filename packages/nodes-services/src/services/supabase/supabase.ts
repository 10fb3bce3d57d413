import { type JsonObject, type MethodContext, type NodePropertyOption, ownProperty } from '@sluice/node-sdk';
import { text, toggle, where } from '@sluice/nodes-base/node-tools';
import { defineService } from '../../shared/define-service.ts';
import { objectOf } from '../../shared/json-values.ts';
import { row } from './row.ts';
import { supabaseClient } from './supabase-client.ts';

export const supabase = defineService({
  displayName: 'Supabase',
  name: 'supabase',
  version: 1,
  description: 'Reads and writes rows of a Supabase project',
  credentials: [{ name: 'supabaseApi', required: true }],
  icon: 'fa:database',
  iconColor: 'green',
  client: supabaseClient,
  leading: [
    toggle('useCustomSchema', 'Use Custom Schema', 'Whether the table is in another schema than `public`'),
    text('schema', 'Schema', 'Name of the schema; the project must expose it', {
      default: 'public',
      ...where({ useCustomSchema: [true] }),
    }),
  ],
  resources: { row },
  methods: {
    loadOptions: {
      getTables: async (context) => namesIn(await definitions(context)),
      async getColumns(context) {
        const table = ownProperty(await definitions(context), context.parameter<string>('tableId', ''));
        return namesIn(objectOf(table)['properties']);
      },
    },
  },
});

/** Tables by name, from the description of the API. */
async function definitions(context: MethodContext): Promise<JsonObject> {
  const schema = context.parameter<boolean>('useCustomSchema', false) ? context.parameter<string>('schema', 'public') : '';
  const headers = { ...(schema !== '' && { 'accept-profile': schema }) };
  const response = await supabaseClient.send(context, { path: '/', headers });
  return objectOf(objectOf(response)['definitions']);
}

function namesIn(members: JsonObject[string] | undefined): NodePropertyOption[] {
  return Object.keys(objectOf(members)).map((name) => ({ name, value: name }));
}
