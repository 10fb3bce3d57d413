import { between, number, text } from '@sluice/nodes-base/node-tools';
import type { Operation, Resource } from '../../shared/define-service.ts';
import { cursorPaging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { idOf, listProperties, uriOf } from './spotify-client.ts';

/**
 * https://developer.spotify.com/documentation/web-api/reference/start-a-users-playback and its
 * neighbors
 */
export const player: Resource = {
  displayName: 'Player',
  operations: {
    addSongToQueue: {
      displayName: 'Add Song to Queue',
      description: 'Adds a track to the queue',
      properties: [idOf('Track')],
      run: (item) => item.perform({ method: 'POST', path: '/me/player/queue', query: { uri: uriOf(item, 'id', 'track') } }),
    },
    currentlyPlaying: {
      displayName: 'Currently Playing',
      description: 'Gets the track that is playing; an empty item if none is',
      properties: [],
      run: async (item) => (await item.send({ path: '/me/player/currently-playing' })) ?? {},
    },
    nextSong: {
      displayName: 'Next Song',
      description: 'Skips to the next track',
      properties: [],
      run: (item) => item.perform({ method: 'POST', path: '/me/player/next' }),
    },
    pause: {
      displayName: 'Pause',
      description: 'Pauses playback',
      properties: [],
      run: (item) => item.perform({ method: 'PUT', path: '/me/player/pause' }),
    },
    previousSong: {
      displayName: 'Previous Song',
      description: 'Skips to the previous track',
      properties: [],
      run: (item) => item.perform({ method: 'POST', path: '/me/player/previous' }),
    },
    recentlyPlayed: {
      displayName: 'Recently Played',
      description: 'Gets the tracks that were played last',
      properties: listProperties,
      run: (item) => {
        const query = { limit: Math.min(item.limit(), 50) };
        return item.list({ path: '/me/player/recently-played', query }, cursorPaging('items', 'cursors.before', 'before'));
      },
    },
    resume: {
      displayName: 'Resume',
      description: 'Resumes playback on the active device',
      properties: [],
      run: (item) => item.perform({ method: 'PUT', path: '/me/player/play' }),
    },
    volume: {
      displayName: 'Set Volume',
      description: 'Sets the volume of the active device',
      properties: [between(0, 100, number('volumePercent', 'Volume', 50, 'Volume in percent'))],
      run: (item) =>
        item.perform({
          method: 'PUT',
          path: '/me/player/volume',
          query: { volume_percent: item.number('volumePercent', 50) },
        }),
    },
    startMusic: startMusic(),
  },
};

function startMusic(): Operation {
  return {
    displayName: 'Start Music',
    description: 'Plays a playlist, an artist, or an album',
    properties: [text('id', 'Resource ID', 'URI or link of the playlist, artist, or album', { required: true })],
    run: (item) => item.perform({ method: 'PUT', path: '/me/player/play', json: { context_uri: contextOf(item) } }),
  };
}

/** Without its kind, an ID names nothing. */
function contextOf(item: ServiceItem): string {
  const idOrUrl = item.required('id').trim();
  const [, kind, id] =
    /^https:\/\/open\.spotify\.com\/(?:intl-\w+\/)?(playlist|artist|album)\/(\w+)(?:\?|$)/.exec(idOrUrl.slice(0, 2_000)) ?? [];
  if (kind !== undefined) return `spotify:${kind}:${id}`;
  if (idOrUrl.startsWith('spotify:')) return idOrUrl;
  throw item.error(
    'the parameter "id" is not a URI of Spotify',
    'Set it to a URI such as spotify:album:1DFixLWuPkv3KT3TnV35m3',
  );
}
