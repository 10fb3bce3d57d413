import type { JsonObject } from '@sluice/node-sdk';
import { choice, choices, collection, names, namesParameter, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import { onePage } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { collectionPath, record, reference } from './raindrop-client.ts';

const id = text('collectionId', 'Collection ID', 'ID of the collection', { required: true });
const title = text('title', 'Title', 'Title of the collection');
const fields = [
  text('parentId', 'Parent Collection ID', 'Collection that contains this one'),
  toggle('public', 'Public', 'Whether everyone can see the collection'),
  choice('view', 'View', choices(['list', 'List'], ['simple', 'Headlines'], ['grid', 'Grid'], ['masonry', 'Moodboard'])),
];

function written(item: ServiceItem, group: string): JsonObject {
  const { parentId, ...plain } = item.typedFields(group, [title, ...fields]);
  return { ...plain, ...(parentId !== undefined && { parent: reference(item, `${group}.parentId`) }) };
}

const path = (item: ServiceItem) => `/collection/${collectionPath(item)}`;

export const collections: Resource = {
  displayName: 'Collection',
  initial: 'get',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a collection',
      properties: [{ ...title, required: true }, collection('additionalFields', 'Additional Fields', fields)],
      run: (item) =>
        record(item, { path: '/collection', json: { title: item.required('title'), ...written(item, 'additionalFields') } }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a collection; its bookmarks move to the trash',
      properties: [id],
      run: (item) => item.perform({ method: 'DELETE', path: path(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Returns a collection',
      properties: [id],
      run: (item) => record(item, { path: path(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Returns the collections of the account',
      properties: [
        choice(
          'type',
          'Type',
          choices(['parent', 'Parent', 'Collections at the top'], ['children', 'Children', 'Nested ones']),
        ),
        ...listPropertiesOf(5),
      ],
      run: (item) =>
        item.list(
          { path: item.text('type') === 'children' ? '/collections/childrens' : '/collections' },
          onePage('items'),
          item.limit(5),
        ),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a collection',
      properties: [id, collection('updateFields', 'Update Fields', [title, ...fields])],
      run: (item) => record(item, { method: 'PUT', path: path(item), json: written(item, 'updateFields') }),
    },
  },
};

const tags = names('tags', 'Tags', 'Tags, separated by commas', { required: true });
const scope = collection('additionalFields', 'Additional Fields', [
  text('collectionId', 'Collection ID', 'Only in this collection; default: everywhere'),
]);

function tagPath(item: ServiceItem): string {
  const { collectionId: within } = item.fields('additionalFields');
  return within === undefined ? '/tags' : `/tags/${collectionPath(item, 'additionalFields.collectionId')}`;
}

export const tag: Resource = {
  displayName: 'Tag',
  initial: 'getAll',
  operations: {
    delete: {
      displayName: 'Delete',
      description: 'Removes tags from all bookmarks',
      properties: [tags, scope],
      run(item) {
        const chosen = namesParameter(item.context, 'tags', item.index);
        if (chosen.length === 0) throw item.error('the parameter "tags" is required', 'Set it to the tags to remove');
        return item.perform({ method: 'DELETE', path: tagPath(item), json: { tags: chosen } });
      },
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Returns the tags with the number of their bookmarks',
      properties: [...listPropertiesOf(5), scope],
      run: (item) => item.list({ path: tagPath(item) }, onePage('items'), item.limit(5)),
    },
  },
};
