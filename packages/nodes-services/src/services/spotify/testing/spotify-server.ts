import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const uri = { type: 'string', pattern: '^spotify:\\w+:\\w+$' };
const size = { type: 'string', pattern: '^([1-9]|[1-4]\\d|50)$' };
const offset = { type: 'string', pattern: '^\\d+$' };
const done = { answer: () => ({ status: 204 }) };
const page = (items: unknown[], next: string | null = null) => ({ items, next });
const listed = { limit: size, offset };

/**
 * https://developer.spotify.com/documentation/web-api, for the token `t1`; pages of lists have two
 * elements.
 */
export function spotifyServer(): Promise<ApiServer> {
  const two = (query: Record<string, unknown>) => {
    const first = query['offset'] === undefined;
    return page(first ? [{ id: 'a' }, { id: 'b' }] : [{ id: 'c' }], first ? 'https://api.spotify.com/v1/next' : null);
  };
  const answer = (json: unknown) => ({ answer: () => ({ json }) });
  return apiServer({
    baseUrl: 'https://api.spotify.com',
    headers: { authorization: /^Bearer t1$/ },
    routes: {
      'POST /v1/me/player/queue': { query: fields({ 'uri!': uri }), ...done },
      'GET /v1/me/player/currently-playing': answer({ is_playing: true, item: { id: 'a' } }),
      'GET /v1/me/player/recently-played': {
        query: fields({ limit: size, before: text }),
        answer: ({ query }) => ({
          json: query['before']
            ? { items: [{ track: { id: 'b' } }], cursors: null }
            : { items: [{ track: { id: 'a' } }], cursors: { before: '17', after: '18' } },
        }),
      },
      'POST /v1/me/player/next': done,
      'POST /v1/me/player/previous': done,
      'PUT /v1/me/player/pause': done,
      'PUT /v1/me/player/play': {
        // The body is optional.
        body: { anyOf: [fields({ 'context_uri!': uri }), { const: '' }] },
        type: /^(application\/json)?$/,
        ...done,
      },
      'PUT /v1/me/player/volume': { query: fields({ 'volume_percent!': { type: 'string', pattern: '^\\d{1,3}$' } }), ...done },
      'GET /v1/albums/:id': { answer: ({ params }) => ({ json: { id: params['id'] } }) },
      'GET /v1/albums/:id/tracks': { query: fields(listed), answer: ({ query }) => ({ json: two(query) }) },
      'GET /v1/browse/new-releases': {
        query: fields({ ...listed, country: { type: 'string', pattern: '^[A-Z]{2}$' } }),
        answer: ({ query }) => ({ json: { albums: two(query) } }),
      },
      'GET /v1/artists/:id': { answer: ({ params }) => ({ json: { id: params['id'] } }) },
      'GET /v1/artists/:id/albums': { query: fields(listed), answer: ({ query }) => ({ json: two(query) }) },
      'GET /v1/artists/:id/related-artists': answer({ artists: [{ id: 'a' }, { id: 'b' }] }),
      'GET /v1/artists/:id/top-tracks': { query: fields({ 'market!': text }), ...answer({ tracks: [{ id: 'a' }] }) },
      'GET /v1/me/tracks': { query: fields(listed), answer: ({ query }) => ({ json: two(query) }) },
      'GET /v1/me/following': {
        query: fields({ 'type!': { const: 'artist' }, limit: size, after: text }),
        answer: ({ query }) => ({
          json: {
            artists: query['after']
              ? { items: [{ id: 'b' }], cursors: { after: null } }
              : { items: [{ id: 'a' }], cursors: { after: 'a' } },
          },
        }),
      },
      'GET /v1/me/playlists': { query: fields(listed), answer: ({ query }) => ({ json: two(query) }) },
      'POST /v1/me/playlists': {
        body: fields({ 'name!': text, description: text, public: { type: 'boolean' } }),
        answer: ({ body }) => ({ status: 201, json: { id: 'p1', ...(body as object) } }),
      },
      'GET /v1/playlists/:id': { answer: ({ params }) => ({ json: { id: params['id'] } }) },
      'GET /v1/playlists/:id/items': {
        query: fields(listed),
        ...answer(page([{ item: { id: 'a' } }, { track: { id: 'b' } }])),
      },
      'POST /v1/playlists/:id/items': {
        body: fields({ 'uris!': { type: 'array', minItems: 1, items: uri }, position: { type: 'integer', minimum: 0 } }),
        answer: () => ({ status: 201, json: { snapshot_id: 's1' } }),
      },
      'DELETE /v1/playlists/:id/items': {
        body: fields({ 'items!': { type: 'array', minItems: 1, items: fields({ 'uri!': uri }) } }),
        ...answer({ snapshot_id: 's2' }),
      },
      'GET /v1/tracks/:id': { answer: ({ params }) => ({ json: { id: params['id'] } }) },
      'GET /v1/audio-features/:id': { answer: ({ params }) => ({ json: { id: params['id'], tempo: 120 } }) },
      'GET /v1/search': {
        query: fields({
          'q!': text,
          'type!': { enum: ['album', 'artist', 'playlist', 'track'] },
          market: { type: 'string', pattern: '^[A-Z]{2}$' },
          'limit!': { type: 'string', pattern: '^([1-9]|10)$' },
          offset,
        }),
        answer: ({ query }) => ({ json: { [`${query['type']}s`]: page([null, { id: query['type'] }]) } }),
      },
    },
  });
}
