import type { JsonValue, MethodContext, NodePropertyOption } from '@sluice/node-sdk';
import { defineService } from '../../shared/define-service.ts';
import { objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { channel } from './channel.ts';
import { playlist } from './playlist.ts';
import { playlistItem } from './playlist-item.ts';
import { video } from './video.ts';
import { videoCategory } from './video-category.ts';
import { youTubeClient } from './you-tube-client.ts';

export const youTube = defineService({
  displayName: 'YouTube',
  name: 'you-tube',
  version: 1,
  description: 'Uploads and finds YouTube videos, and manages channels and playlists',
  credentials: [{ name: 'youTubeOAuth2Api', required: true }],
  icon: 'fa:video',
  iconColor: 'red',
  client: youTubeClient,
  resources: { channel, playlist, playlistItem, video, videoCategory },
  methods: {
    loadOptions: {
      getCountriesCodes: (context) => choicesOf(context, '/i18nRegions', 'gl'),
      getLanguages: (context) => choicesOf(context, '/i18nLanguages', 'hl'),
      getVideosCategories: async (context) => {
        const regionCode = context.parameter<JsonValue>('regionCode', '') || 'US';
        return choicesOf(context, '/videoCategories', undefined, { regionCode });
      },
    },
  },
});

/** List entries. `member`: their value in the snippet; default: their ID. */
async function choicesOf(
  context: MethodContext,
  path: string,
  member?: string,
  query: Record<string, JsonValue> = {},
): Promise<NodePropertyOption[]> {
  const body = objectOf(await youTubeClient.send(context, { path, query: { part: 'snippet', ...query } }));
  return objectsOf(body['items']).map(({ id, snippet }) => {
    const { name, title, [member ?? '']: value } = objectOf(snippet);
    return { name: textOf(name ?? title), value: textOf(value ?? id) };
  });
}
