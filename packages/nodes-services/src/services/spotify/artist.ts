import { text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { onePage } from '../../shared/paging.ts';
import { idOf, listed, listProperties, pathOf, search } from './spotify-client.ts';

const id = idOf('Artist');

export const artist: Resource = {
  displayName: 'Artist',
  operations: {
    get: {
      displayName: 'Get',
      description: 'Gets an artist',
      properties: [id],
      run: (item) => item.send({ path: pathOf(item, 'artists') }),
    },
    getAlbums: {
      displayName: 'Get Albums',
      description: 'Gets the albums of an artist',
      properties: [id, ...listProperties],
      run: (item) => listed(item, pathOf(item, 'artists', '/albums')),
    },
    getRelatedArtists: {
      displayName: 'Get Related Artists',
      description: 'Gets artists that are similar to an artist',
      properties: [id],
      run: (item) =>
        item.list({ path: pathOf(item, 'artists', '/related-artists') }, onePage('artists'), Number.POSITIVE_INFINITY),
    },
    getTopTracks: {
      displayName: 'Get Top Tracks',
      description: 'Gets the most popular tracks of an artist in a country',
      properties: [id, text('country', 'Country', 'Country code', { default: 'US' })],
      run: (item) => {
        const query = { market: item.text('country', 'US') || 'US' };
        return item.list({ path: pathOf(item, 'artists', '/top-tracks'), query }, onePage('tracks'), Number.POSITIVE_INFINITY);
      },
    },
    search: search('artist'),
  },
};
