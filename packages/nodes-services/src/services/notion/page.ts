import { isJsonObject } from '@sluice/node-sdk';
import { choice, choices, list, options, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { createPage, iconOf, titled } from './blocks.ts';
import { idOf, pageUrl, pathOf } from './notion-client.ts';
import { blockUi, current, iconOptions, listProperties, pageId, simple, timeSort } from './notion-properties.ts';
import { search, shown } from './search.ts';

const kinds = choices(['page', 'Page'], ['database', 'Database']);
const filter = list('filter', 'Filters', 'filters', [
  choice('property', 'Property', choices(['object', 'Object'])),
  choice('value', 'Value', kinds),
]);

export const page: Resource = {
  displayName: 'Page',
  initial: 'create',
  operations: {
    archive: {
      displayName: 'Archive',
      description: 'Moves a page to the trash',
      versions: current,
      properties: [pageId, simple],
      async run(item) {
        const path = pathOf('pages', idOf(item, 'pageId', pageUrl));
        return shown(item, await item.send({ method: 'PATCH', path, json: { archived: true } }));
      },
    },
    create: {
      displayName: 'Create',
      description: 'Creates a page under another page',
      properties: [
        { ...pageId, displayName: 'Parent Page', description: 'The parent page: by ID or by URL' },
        text('title', 'Title', 'Title of the page', { required: true }),
        simple,
        blockUi,
        iconOptions,
      ],
      async run(item) {
        const icon = iconOf(item);
        const parent = { page_id: idOf(item, 'pageId', pageUrl) };
        const created = await createPage(item, { parent, properties: titled(item.required('title')), ...(icon && { icon }) });
        return shown(item, created);
      },
    },
    get: {
      displayName: 'Get',
      description: 'Gets a page',
      versions: [1],
      properties: [pageId, simple],
      run: async (item) => shown(item, await item.send({ path: pathOf('pages', idOf(item, 'pageId', pageUrl)) })),
    },
    search: {
      displayName: 'Search',
      description: 'Finds pages and databases by their title',
      properties: [text('text', 'Search Text', 'Text in the title'), ...listProperties, simple, options([filter, timeSort])],
      run(item) {
        const [wanted] = item.entries('options.filter.filters').filter(isJsonObject);
        const { property = 'object', value = 'page' } = wanted ?? {};
        return search(item, { query: item.text('text'), ...(wanted && { filter: { property, value } }) });
      },
    },
  },
};
