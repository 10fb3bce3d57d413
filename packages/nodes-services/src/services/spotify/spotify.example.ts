import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Adds a track to a playlist.',
  needs: 'a Spotify account, connected by OAuth2',
  notes:
    'Objects are named by their URI, their ID, or a link. Controlling the player requires Spotify Premium. For apps in development mode, Spotify has removed new releases, top tracks, related artists, and audio features. A search has at most 1,000 results.',
  parameters: {
    resource: 'playlist',
    operation: 'add',
    id: '37i9dQZF1DX',
    trackID: 'spotify:track:4iV5W9uYEdYUVa79Axb7Rh',
    additionalFields: {},
  },
  inputs: [[{}]],
  outputs: [[{ snapshot_id: 's1' }]],
};
