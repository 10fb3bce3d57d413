import type { JsonValue } from '@sluice/node-sdk';
import { options, text, when } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { createPage, iconOf } from './blocks.ts';
import { filterOf, sortsOf } from './database-filter.ts';
import { databaseUrl, idOf, pageUrl, pathOf } from './notion-client.ts';
import {
  blockUi,
  current,
  databaseId,
  filterProperties,
  iconOptions,
  legacyFilter,
  listProperties,
  pageId,
  propertiesUi,
  propertySort,
  simple,
} from './notion-properties.ts';
import { propertiesOf } from './property-values.ts';
import { listed, shown } from './search.ts';

export const databasePage: Resource = {
  displayName: 'Database Page',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a page in a database',
      properties: [databaseId, text('title', 'Title', 'Title of the page'), simple, propertiesUi, blockUi, { ...iconOptions }],
      run: async (item) => shown(item, await createPage(item, newPage(item))),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a database page',
      versions: current,
      properties: [pageId, simple],
      run: async (item) => shown(item, await item.send({ path: pathOf('pages', idOf(item, 'pageId', pageUrl)) })),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the pages of a database',
      properties: [
        databaseId,
        ...listProperties,
        simple,
        ...filterProperties,
        options([propertySort], when(current)),
        options([legacyFilter, propertySort], when([1])),
      ],
      run: query,
    },
    update: {
      displayName: 'Update',
      description: 'Changes the properties of a database page',
      properties: [pageId, simple, propertiesUi, { ...iconOptions }],
      async run(item) {
        const icon = iconOf(item);
        const json = { properties: propertiesOf(item), ...(icon && { icon }) };
        return shown(item, await item.send({ method: 'PATCH', path: pathOf('pages', idOf(item, 'pageId', pageUrl)), json }));
      },
    },
  },
};

function newPage(item: ServiceItem) {
  const icon = iconOf(item);
  return {
    parent: { database_id: idOf(item, 'databaseId', databaseUrl) },
    properties: propertiesOf(item, item.text('title')),
    ...(icon && { icon }),
  };
}

/** https://developers.notion.com/reference/post-database-query */
function query(item: ServiceItem): Promise<JsonValue> {
  const [filter, sorts] = [filterOf(item), sortsOf(item)];
  return listed(item, pathOf('databases', idOf(item, 'databaseId', databaseUrl), '/query'), {
    ...(filter !== undefined && { filter }),
    ...(sorts.length > 0 && { sorts }),
  });
}
