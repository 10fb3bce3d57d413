import type { JsonObject } from '@sluice/node-sdk';
import { atLeast, collection, number, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { idOf, listed, listProperties, pathOf, search, uriOf } from './spotify-client.ts';

const id = idOf('Playlist');
const trackId = idOf('Track', 'trackID');

/** https://developer.spotify.com/documentation/web-api/concepts/playlists */
export const playlist: Resource = {
  displayName: 'Playlist',
  operations: {
    add: {
      displayName: 'Add an Item',
      description: 'Adds a track to a playlist',
      properties: [
        id,
        trackId,
        collection('additionalFields', 'Additional Fields', [
          atLeast(
            0,
            number('position', 'Position', 0, 'Position in the playlist, from 0; without it, the track is added at the end'),
          ),
        ]),
      ],
      run: (item) => {
        const { position } = item.fields('additionalFields');
        return item.send({
          path: pathOf(item, 'playlists', '/items'),
          json: { uris: [uriOf(item, 'trackID', 'track')], ...(position !== undefined && { position }) },
        });
      },
    },
    create: {
      displayName: 'Create a Playlist',
      description: 'Creates a playlist of the user',
      properties: [
        text('name', 'Name', 'Name of the playlist', { required: true }),
        collection('additionalFields', 'Additional Fields', [
          text('description', 'Description', 'Description of the playlist'),
          toggle('public', 'Public', 'Whether the playlist is on the profile of the user', { default: true }),
        ]),
      ],
      run: (item) =>
        item.send({ path: '/me/playlists', json: { name: item.required('name'), ...item.fields('additionalFields') } }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a playlist',
      properties: [id],
      run: (item) => item.send({ path: pathOf(item, 'playlists') }),
    },
    getTracks: {
      displayName: 'Get Tracks',
      description: 'Gets the tracks of a playlist',
      properties: [id, ...listProperties],
      run: async (item) => (await listed(item, pathOf(item, 'playlists', '/items'))).map(withTrack),
    },
    getUserPlaylists: {
      displayName: "Get the User's Playlists",
      description: 'Gets the playlists of the user',
      properties: listProperties,
      run: (item) => listed(item, '/me/playlists'),
    },
    delete: {
      displayName: 'Remove an Item',
      description: 'Removes a track from a playlist',
      properties: [id, trackId],
      run: (item) =>
        item.send({
          method: 'DELETE',
          path: pathOf(item, 'playlists', '/items'),
          json: { items: [{ uri: uriOf(item, 'trackID', 'track') }] },
        }),
    },
    search: search('playlist'),
  },
};

/** Since February 2026, the member is called `item`; workflows read `track`. */
const withTrack = (entry: JsonObject): JsonObject =>
  'track' in entry || entry['item'] === undefined ? entry : { ...entry, track: entry['item'] };
