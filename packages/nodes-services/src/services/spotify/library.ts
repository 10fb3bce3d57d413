import type { Resource } from '../../shared/define-service.ts';
import { cursorPaging } from '../../shared/paging.ts';
import { listed, listProperties } from './spotify-client.ts';

export const library: Resource = {
  displayName: 'Library',
  operations: {
    getLikedTracks: {
      displayName: 'Get Liked Tracks',
      description: 'Gets the tracks that the user likes',
      properties: listProperties,
      run: (item) => listed(item, '/me/tracks'),
    },
  },
};

export const myData: Resource = {
  displayName: 'My Data',
  operations: {
    getFollowingArtists: {
      displayName: 'Get Following Artists',
      description: 'Gets the artists that the user follows',
      properties: listProperties,
      run: (item) => {
        const query = { type: 'artist', limit: Math.min(item.limit(), 50) };
        return item.list({ path: '/me/following', query }, cursorPaging('artists.items', 'artists.cursors.after', 'after'));
      },
    },
  },
};
