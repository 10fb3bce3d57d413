import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const yes = { const: 'true' };
const toggled = { enum: ['true', 'false'] };
const instant = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' };
const texts = { type: 'array', minItems: 1, items: text };
const part = { 'part!': { type: 'string', pattern: '^[A-Za-z]+(,[A-Za-z]+)*$' } };
const page = { 'maxResults!': { type: 'string', pattern: '^([1-9]|[1-4]\\d|50)$' }, pageToken: text };
const owner = { onBehalfOfContentOwner: text };
const ownerChannel = { ...owner, onBehalfOfContentOwnerChannel: text };
const snippet = fields({ title: text, description: text, categoryId: text, defaultLanguage: text, tags: texts });
const status = fields({
  privacyStatus: { enum: ['private', 'public', 'unlisted'] },
  embeddable: flag,
  license: { enum: ['youtube', 'creativeCommon'] },
  publicStatsViewable: flag,
  publishAt: instant,
  selfDeclaredMadeForKids: flag,
});
const recordingDetails = fields({ recordingDate: instant });
const one =
  (resource: object): ApiRoute['answer'] =>
  ({ query }) => ({ json: { items: query['id'] === 'none' ? [] : [{ id: query['id'], ...resource }] } });
const echo: ApiRoute['answer'] = ({ body }) => ({ json: { id: 'new', ...(body as object) } });

const base = '/youtube/v3';

/** https://developers.google.com/youtube/v3/docs, for the token `ya29`. */
export function youTubeServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://www.googleapis.com',
    headers: { authorization: /^Bearer ya29$/ },
    routes: {
      [`GET ${base}/channels`]: {
        query: fields({
          ...part,
          id: text,
          maxResults: text,
          pageToken: text,
          mine: yes,
          categoryId: text,
          forUsername: text,
          managedByMe: yes,
          hl: text,
          ...owner,
        }),
        answer: one({ brandingSettings: { channel: { title: 'Old', country: 'US' }, image: {} } }),
      },
      [`PUT ${base}/channels`]: {
        query: fields({ ...part, ...owner }),
        body: fields({ 'id!': text, brandingSettings: { type: 'object' }, status }),
        answer: echo,
      },
      [`GET ${base}/playlists`]: {
        query: fields({
          ...part,
          id: text,
          channelId: text,
          mine: yes,
          maxResults: text,
          pageToken: text,
          hl: text,
          ...ownerChannel,
        }),
        answer: one({ snippet: { title: 'Old', description: 'd' }, status: { privacyStatus: 'private' } }),
      },
      [`POST ${base}/playlists`]: {
        query: fields({ ...part, ...ownerChannel }),
        body: fields({ 'snippet!': snippet, status }),
        answer: echo,
      },
      [`PUT ${base}/playlists`]: {
        query: fields({ ...part, ...owner }),
        body: fields({ 'id!': text, 'snippet!': snippet, status }),
        answer: echo,
      },
      [`DELETE ${base}/playlists`]: { query: fields({ 'id!': text, ...owner }), answer: () => ({ status: 204 }) },
      [`GET ${base}/playlistItems`]: {
        query: fields({ ...part, id: text, playlistId: text, maxResults: text, pageToken: text, ...owner }),
        answer: ({ query }) => {
          if (query['id']) return { json: { items: [{ id: query['id'] }] } };
          return query['pageToken'] === 'next'
            ? { json: { items: [{ id: 'i2' }] } }
            : { json: { items: [{ id: 'i1' }], nextPageToken: 'next' } };
        },
      },
      [`POST ${base}/playlistItems`]: {
        query: fields({ ...part, ...owner }),
        body: fields({
          'snippet!': fields({
            'playlistId!': text,
            'resourceId!': fields({ 'kind!': { const: 'youtube#video' }, 'videoId!': text }),
            position: { type: 'integer', minimum: 0 },
          }),
          contentDetails: fields({ note: text, startAt: text, endAt: text }),
        }),
        answer: echo,
      },
      [`DELETE ${base}/playlistItems`]: { query: fields({ 'id!': text, ...owner }), answer: () => ({ status: 204 }) },
      [`GET ${base}/videos`]: {
        query: fields({ ...part, 'id!': text, ...owner }),
        answer: one({ snippet: { title: 'Old', description: 'd', categoryId: '1' }, status: { privacyStatus: 'public' } }),
      },
      [`PUT ${base}/videos`]: {
        query: fields(part),
        body: fields({ 'id!': text, 'snippet!': snippet, status, recordingDetails }),
        answer: echo,
      },
      [`DELETE ${base}/videos`]: { query: fields({ 'id!': text, ...owner }), answer: () => ({ status: 204 }) },
      [`POST ${base}/videos/rate`]: {
        query: fields({ 'id!': text, 'rating!': { enum: ['like', 'dislike', 'none'] } }),
        answer: () => ({ status: 204 }),
      },
      [`GET ${base}/search`]: {
        query: fields({
          'part!': { const: 'snippet' },
          'type!': { const: 'video' },
          ...page,
          channelId: text,
          forDeveloper: yes,
          publishedAfter: instant,
          publishedBefore: instant,
          q: text,
          regionCode: text,
          relatedToVideoId: text,
          videoCategoryId: text,
          videoSyndicated: yes,
          videoType: { enum: ['any', 'episode', 'movie'] },
          order: text,
          safeSearch: { enum: ['moderate', 'none', 'strict'] },
        }),
        answer: ({ query }) => ({
          json:
            query['pageToken'] === 'next'
              ? { items: [{ id: { videoId: 'v2' }, snippet: { title: 'Two' } }] }
              : { items: [{ id: { videoId: 'v1' }, snippet: { title: 'One' } }], nextPageToken: 'next' },
        }),
      },
      [`GET ${base}/videoCategories`]: {
        query: fields({ 'part!': { const: 'snippet' }, 'regionCode!': text }),
        answer: () => ({
          json: {
            items: [
              { id: '1', snippet: { title: 'Film' } },
              { id: '2', snippet: { title: 'Cars' } },
            ],
          },
        }),
      },
      [`GET ${base}/i18nRegions`]: {
        query: fields({ 'part!': { const: 'snippet' } }),
        answer: () => ({ json: { items: [{ id: 'DE', snippet: { gl: 'DE', name: 'Germany' } }] } }),
      },
      [`GET ${base}/i18nLanguages`]: {
        query: fields({ 'part!': { const: 'snippet' } }),
        answer: () => ({ json: { items: [{ id: 'de', snippet: { hl: 'de', name: 'German' } }] } }),
      },
      'POST /upload/youtube/v3/videos': {
        query: fields({ ...part, 'uploadType!': { const: 'resumable' }, notifySubscribers: toggled }),
        headers: { 'x-upload-content-type': /^video\// },
        body: fields({ 'snippet!': snippet, status, recordingDetails }),
        answer: () => ({ headers: { location: 'https://www.googleapis.com/upload/youtube/v3/session' } }),
      },
      'POST /upload/youtube/v3/channelBanners/insert': {
        query: fields({ 'uploadType!': { const: 'resumable' } }),
        answer: () => ({ headers: { location: 'https://www.googleapis.com/upload/youtube/v3/session' } }),
      },
      'PUT /upload/youtube/v3/session': {
        headers: { 'content-range': /^bytes 0-2\/3$/ },
        type: /^application\/octet-stream$/,
        body: { const: 'abc' },
        answer: () => ({ json: { id: 'v9', url: 'https://banner.example' } }),
      },
    },
  });
}
