import { defineService } from '../../shared/define-service.ts';
import { bookmark } from './bookmark.ts';
import { collections, tag } from './collections.ts';
import { client, record } from './raindrop-client.ts';

/** Bookmarks in collections. */
export const raindrop = defineService({
  displayName: 'Raindrop',
  name: 'raindrop',
  version: 1,
  description: 'Manages bookmarks, collections, and tags in Raindrop.io',
  credentials: [{ name: 'raindropOAuth2Api', required: true }],
  icon: 'fa:bookmark',
  iconColor: 'blue',
  group: ['transform'],
  client,
  initial: 'collection',
  resources: {
    bookmark,
    collection: collections,
    tag,
    user: {
      displayName: 'User',
      operations: {
        get: {
          displayName: 'Get',
          description: 'Returns the user of the credential',
          properties: [],
          run: (item) => record(item, { path: '/user' }, 'user'),
        },
      },
    },
  },
});
