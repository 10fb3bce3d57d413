import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { collection, names, namesParameter, number, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { collectionPath, pageSize, pages, record, reference } from './raindrop-client.ts';

const bookmarkId = text('bookmarkId', 'Bookmark ID', 'ID of the bookmark', { required: true });
const inCollection = text('collectionId', 'Collection ID', 'ID of the collection; `-1` is "Unsorted", `-99` is "Trash"', {
  required: true,
});
const fields = [
  toggle('important', 'Important', 'Whether the bookmark is a favorite'),
  number('order', 'Order', 0, 'Position in the collection; 0 is the first'),
  toggle('pleaseParse', 'Parse Metadata', 'Whether Raindrop reads title, description, and pictures of the page'),
  names('tags', 'Tags', 'Tags, separated by commas'),
  text('title', 'Title', 'Title of the bookmark'),
];

const path = (item: ServiceItem) => `/raindrop/${encodeURIComponent(item.required('bookmarkId').trim())}`;

function written(item: ServiceItem, group: string): JsonObject {
  const set = item.typedFields(group, fields);
  const { pleaseParse, tags, ...plain } = set;
  return {
    ...plain,
    ...(tags !== undefined && { tags: namesParameter(item.context, `${group}.tags`, item.index) }),
    ...(pleaseParse === true && { pleaseParse: {} }),
  };
}

const create = (item: ServiceItem): Promise<JsonValue> =>
  record(item, {
    path: '/raindrop',
    json: { link: item.required('link'), collection: reference(item), ...written(item, 'additionalFields') },
  });

function update(item: ServiceItem): Promise<JsonValue> {
  const { collectionId: target, ...fieldsToSet } = written(item, 'updateFields');
  const json = {
    ...fieldsToSet,
    ...(target !== undefined && { collection: reference(item, 'updateFields.collectionId') }),
  };
  return record(item, { method: 'PUT', path: path(item), json });
}

export const bookmark: Resource = {
  displayName: 'Bookmark',
  initial: 'get',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a bookmark',
      properties: [
        inCollection,
        text('link', 'Link', 'Address of the page', { required: true }),
        collection('additionalFields', 'Additional Fields', fields),
      ],
      run: create,
    },
    delete: {
      displayName: 'Delete',
      description: 'Moves a bookmark to the trash, or deletes it if it is there',
      properties: [bookmarkId],
      run: (item) => item.perform({ method: 'DELETE', path: path(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Returns a bookmark',
      properties: [bookmarkId],
      run: (item) => record(item, { path: path(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Returns the bookmarks of a collection',
      properties: [inCollection, ...listPropertiesOf(5)],
      run: (item) =>
        item.list({ path: `/raindrops/${collectionPath(item)}`, query: { perpage: pageSize } }, pages, item.limit(5)),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a bookmark',
      properties: [
        bookmarkId,
        collection('updateFields', 'Update Fields', [
          text('collectionId', 'Collection ID', 'Collection that the bookmark moves to'),
          text('link', 'Link', 'Address of the page'),
          ...fields,
        ]),
      ],
      run: update,
    },
  },
};
