import type { JsonObject } from '@sluice/node-sdk';
import { options, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { databaseUrl, idOf, pathOf } from './notion-client.ts';
import { all, current, databaseId, listProperties, simple, timeSort } from './notion-properties.ts';
import { search, shown } from './search.ts';

const onlyDatabases: JsonObject = { property: 'object', value: 'database' };

export const database: Resource = {
  displayName: 'Database',
  versions: all,
  operations: {
    get: {
      displayName: 'Get',
      description: 'Gets a database',
      properties: [databaseId, simple],
      run: async (item) => shown(item, await item.send({ path: pathOf('databases', idOf(item, 'databaseId', databaseUrl)) })),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the databases that are shared with the integration',
      properties: [...listProperties, simple],
      run: (item) => search(item, { filter: onlyDatabases }),
    },
    search: {
      displayName: 'Search',
      description: 'Finds databases by their title',
      versions: current,
      properties: [text('text', 'Search Text', 'Text in the title'), ...listProperties, simple, options([timeSort])],
      run: (item) => search(item, { query: item.text('text'), filter: onlyDatabases }),
    },
  },
};
