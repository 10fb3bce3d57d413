import { collection, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { idOf, listed, listProperties, pathOf, search } from './spotify-client.ts';

const id = idOf('Album');

export const album: Resource = {
  displayName: 'Album',
  operations: {
    get: {
      displayName: 'Get',
      description: 'Gets an album',
      properties: [id],
      run: (item) => item.send({ path: pathOf(item, 'albums') }),
    },
    getNewReleases: {
      displayName: 'Get New Releases',
      description: 'Gets new albums',
      properties: [
        ...listProperties,
        collection('filters', 'Filters', [text('country', 'Country', 'Country code, such as `DE`')]),
      ],
      run: (item) => listed(item, '/browse/new-releases', { country: item.text('filters.country') }, 'albums'),
    },
    getTracks: {
      displayName: 'Get Tracks',
      description: 'Gets the tracks of an album',
      properties: [id, ...listProperties],
      run: (item) => listed(item, pathOf(item, 'albums', '/tracks')),
    },
    search: search('album'),
  },
};
