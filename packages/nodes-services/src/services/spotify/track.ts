import type { Resource } from '../../shared/define-service.ts';
import { idOf, pathOf, search } from './spotify-client.ts';

const id = idOf('Track');

export const track: Resource = {
  displayName: 'Track',
  operations: {
    get: {
      displayName: 'Get',
      description: 'Gets a track',
      properties: [id],
      run: (item) => item.send({ path: pathOf(item, 'tracks') }),
    },
    getAudioFeatures: {
      displayName: 'Get Audio Features',
      description: 'Gets the tempo, key, and other features of a track',
      properties: [id],
      run: (item) => item.send({ path: pathOf(item, 'audio-features') }),
    },
    search: search('track'),
  },
};
