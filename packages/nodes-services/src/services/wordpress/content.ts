import type { NodeProperty } from '@sluice/node-sdk';
import { collection, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { membersOf, pageSize, pages, queryOf } from './wordpress-client.ts';
import { context, listProperties, pageFields, pageFilters, postFields, postFilters } from './wordpress-properties.ts';

interface Content {
  displayName: string;
  /** In descriptions: `post`. */
  noun: string;
  /** Path of the collection in the API. */
  path: string;
  /** ID parameter. */
  idName: string;
  fields: readonly NodeProperty[];
  filters: readonly NodeProperty[];
}

export const post = contentResource({
  displayName: 'Post',
  noun: 'post',
  path: '/posts',
  idName: 'postId',
  fields: postFields,
  filters: postFilters,
});

export const page = contentResource({
  displayName: 'Page',
  noun: 'page',
  path: '/pages',
  idName: 'pageId',
  fields: pageFields,
  filters: pageFilters,
});

/** Posts and pages have the same operations. */
function contentResource({ displayName, noun, path, idName, fields, filters }: Content): Resource {
  const id = text(idName, `${displayName} ID`, `ID of the ${noun}`, { required: true });
  const title = text('title', 'Title', `Title of the ${noun}`);
  return {
    displayName,
    operations: {
      create: {
        displayName: 'Create',
        description: `Creates a ${noun}`,
        properties: [{ ...title, required: true }, collection('additionalFields', 'Additional Fields', fields)],
        run: (item) => item.send({ path, json: { title: item.required('title'), ...membersOf(item, 'additionalFields') } }),
      },
      get: {
        displayName: 'Get',
        description: `Gets a ${noun}`,
        properties: [id, collection('options', 'Options', [text('password', 'Password', `Password of the ${noun}`), context])],
        run: (item) => item.send({ path: `${path}/${encodeURIComponent(item.id(idName))}`, query: queryOf(item, 'options') }),
      },
      getAll: {
        displayName: 'Get Many',
        description: `Lists ${noun}s`,
        properties: [...listProperties, collection('options', 'Options', filters)],
        run: (item) =>
          item.list({ path, query: { per_page: Math.min(item.limit(), pageSize), ...queryOf(item, 'options') } }, pages),
      },
      update: {
        displayName: 'Update',
        description: `Changes a ${noun}`,
        properties: [id, collection('updateFields', 'Update Fields', [title, ...fields])],
        run: (item) =>
          item.send({ path: `${path}/${encodeURIComponent(item.id(idName))}`, json: membersOf(item, 'updateFields') }),
      },
    },
  };
}
