import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Finds the newest videos of a channel.',
  needs: 'a Google account, connected by OAuth2 with the scopes of the credential type',
  notes:
    'Enable the YouTube Data API v3 in the Google Cloud console. A project has 10,000 units a day: a search takes 100, an upload 100, and other changes 50. Until Google has reviewed the project, uploaded videos stay private. A change of a video, playlist, or channel reads it first, because Google replaces whole parts.',
  parameters: {
    resource: 'video',
    operation: 'getAll',
    limit: 2,
    filters: { channelId: 'UC1', publishedAfter: '2026-01-01T00:00:00Z' },
    options: { order: 'date' },
  },
  inputs: [[{}]],
  outputs: [
    [
      { id: { videoId: 'v1' }, snippet: { title: 'One' } },
      { id: { videoId: 'v2' }, snippet: { title: 'Two' } },
    ],
  ],
};
