import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './spotify.example.ts';
import { spotify } from './spotify.ts';
import { spotifyServer } from './testing/spotify-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await spotifyServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { spotifyOAuth2Api: { oauthTokenData: { access_token: 't1' } } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(spotify, { parameters, http: server.http, credentials, ...more });
const sent = () =>
  server.received.map(({ method, url, body }): JsonValue[] => [
    `${method} ${decodeURIComponent(url.replace('/v1', ''))}`,
    body.length > 0 ? JSON.parse(body.toString()) : null,
  ]);
const playlist = { resource: 'playlist', id: 'p1' };
const track = 'https://open.spotify.com/intl-de/track/4iV5?si=1';

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([['POST /playlists/37i9dQZF1DX/items', { uris: ['spotify:track:4iV5W9uYEdYUVa79Axb7Rh'] }]]);
});

test.each<[JsonObject, string, JsonValue]>([
  [{ id: 'spotify:track:4iV5' }, 'POST /me/player/queue?uri=spotify:track:4iV5', null],
  [{ id: track }, 'POST /me/player/queue?uri=spotify:track:4iV5', null],
  [{ operation: 'nextSong' }, 'POST /me/player/next', null],
  [{ operation: 'previousSong' }, 'POST /me/player/previous', null],
  [{ operation: 'pause' }, 'PUT /me/player/pause', null],
  [{ operation: 'volume', volumePercent: 0 }, 'PUT /me/player/volume?volume_percent=0', null],
  [{ operation: 'startMusic', id: 'spotify:album:1' }, 'PUT /me/player/play', { context_uri: 'spotify:album:1' }],
  [
    { operation: 'startMusic', id: 'https://open.spotify.com/playlist/2?si=3' },
    'PUT /me/player/play',
    { context_uri: 'spotify:playlist:2' },
  ],
])('%j controls the player by %s', async (parameters, request, body) => {
  expect(await run(parameters)).toEqual([{ success: true }]);
  expect(sent()).toEqual([[request, body]]);
});

test('playback is resumed without a body', async () => {
  server.on('PUT /v1/me/player/play', ({ body }) => ({ status: body === '' ? 204 : 500 }));
  expect(await run({ operation: 'resume' })).toEqual([{ success: true }]);
});

test('the current track is an item, and no track is an empty item', async () => {
  expect(await run({ operation: 'currentlyPlaying' })).toEqual([{ is_playing: true, item: { id: 'a' } }]);
  server.on('GET /v1/me/player/currently-playing', () => ({ status: 204 }));
  expect(await run({ operation: 'currentlyPlaying' })).toEqual([{}]);
});

test.each<[JsonObject, string, JsonValue]>([
  [{ resource: 'album', operation: 'get', id: 'spotify:album:1' }, 'GET /albums/1', null],
  [{ resource: 'artist', operation: 'get', id: 'https://open.spotify.com/artist/2' }, 'GET /artists/2', null],
  [{ resource: 'track', operation: 'get', id: track }, 'GET /tracks/4iV5', null],
  [{ resource: 'track', operation: 'getAudioFeatures', id: '3' }, 'GET /audio-features/3', null],
  [{ ...playlist, operation: 'get' }, 'GET /playlists/p1', null],
  [
    { ...playlist, trackID: '1', additionalFields: { position: 0 } },
    'POST /playlists/p1/items',
    { uris: ['spotify:track:1'], position: 0 },
  ],
  [
    { ...playlist, operation: 'delete', trackID: 'spotify:episode:1' },
    'DELETE /playlists/p1/items',
    { items: [{ uri: 'spotify:episode:1' }] },
  ],
  [{ ...playlist, operation: 'create', name: 'P' }, 'POST /me/playlists', { name: 'P' }],
  [
    { ...playlist, operation: 'create', name: 'P', additionalFields: { public: false, description: 'D' } },
    'POST /me/playlists',
    { name: 'P', public: false, description: 'D' },
  ],
])('%j is one request', async (parameters, request, body) => {
  expect(await run(parameters)).toHaveLength(1);
  expect(sent()).toEqual([[request, body]]);
});

test.each<[JsonObject, string, number]>([
  [{ resource: 'album', operation: 'getTracks', id: '1' }, '/albums/1/tracks?', 3],
  [{ resource: 'album', operation: 'getNewReleases', filters: { country: 'DE' } }, '/browse/new-releases?country=DE&', 3],
  [{ resource: 'artist', operation: 'getAlbums', id: '1' }, '/artists/1/albums?', 3],
  [{ resource: 'library' }, '/me/tracks?', 3],
  [{ resource: 'playlist', operation: 'getUserPlaylists' }, '/me/playlists?', 3],
])('%j lists to the end, or to the limit', async (parameters, path, count) => {
  expect(await run({ ...parameters, returnAll: true })).toHaveLength(count);
  expect(await run({ ...parameters, limit: 2 })).toHaveLength(2);
  expect(sent().map(([request]) => request)).toEqual([
    `GET ${path}limit=50`,
    `GET ${path}limit=50&offset=50`,
    `GET ${path}limit=2`,
  ]);
});

test.each<[JsonObject, string[]]>([
  [{ operation: 'recentlyPlayed' }, ['/me/player/recently-played?limit=50', '/me/player/recently-played?limit=50&before=17']],
  [{ resource: 'myData' }, ['/me/following?type=artist&limit=50', '/me/following?type=artist&limit=50&after=a']],
])('%j lists by a cursor', async (parameters, paths) => {
  expect(await run({ ...parameters, returnAll: true })).toHaveLength(2);
  expect(sent().map(([request]) => request)).toEqual(paths.map((path) => `GET ${path}`));
});

test.each<[JsonObject, string, number]>([
  [{ operation: 'getRelatedArtists' }, '/artists/1/related-artists', 2],
  [{ operation: 'getTopTracks' }, '/artists/1/top-tracks?market=US', 1],
  [{ operation: 'getTopTracks', country: 'DE' }, '/artists/1/top-tracks?market=DE', 1],
])('the whole list is one request: %j', async (parameters, path, count) => {
  expect(await run({ resource: 'artist', id: '1', ...parameters })).toHaveLength(count);
  expect(sent()).toEqual([[`GET ${path}`, null]]);
});

test('an entry of a playlist has its track as `track`', async () => {
  expect(await run({ ...playlist, operation: 'getTracks' })).toEqual([
    { item: { id: 'a' }, track: { id: 'a' } },
    { track: { id: 'b' } },
  ]);
});

test.each(['album', 'artist', 'playlist', 'track'])('a search for a %s leaves out removed results', async (resource) => {
  const search = { resource, operation: 'search', query: 'queen' };
  expect(await run({ ...search, limit: 1, filters: { market: 'DE' } })).toEqual([{ id: resource }]);
  expect(sent()).toEqual([[`GET /search?q=queen&type=${resource}&market=DE&limit=1`, null]]);
});

test('a search ends after 1,000 results', async () => {
  server.on('GET /v1/search', () => ({
    json: { tracks: { items: Array.from({ length: 10 }, () => ({ id: 't' })), next: 'https://api.spotify.com/v1/search' } },
  }));
  expect(await run({ resource: 'track', operation: 'search', query: 'q', returnAll: true })).toHaveLength(1_000);
});

test('playback starts from a URI, not from an ID', async () => {
  await expect(run({ operation: 'startMusic', id: '1DFix' })).rejects.toMatchObject({
    message: 'the parameter "id" is not a URI of Spotify',
    itemIndex: 0,
  });
  expect(server.received).toEqual([]);
});

test('an error includes the reason and a hint; a failed item does not affect the others', async () => {
  server.on('POST /v1/me/player/next', ({ count }) =>
    count === 1
      ? { status: 404, json: { error: { status: 404, message: 'Player command failed', reason: 'NO_ACTIVE_DEVICE' } } }
      : { status: 204 },
  );
  expect(await run({ operation: 'nextSong' }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'Spotify: Player command failed (NO_ACTIVE_DEVICE)' },
    { success: true },
  ]);
});

test('an endpoint that Spotify removed for most apps has a hint', async () => {
  server.on('GET /v1/audio-features/:id', () => ({ status: 403, json: { error: { status: 403, message: 'Forbidden' } } }));
  await expect(run({ resource: 'track', operation: 'getAudioFeatures', id: '1' })).rejects.toMatchObject({
    description: 'Spotify allows this only for apps with extended quota',
  });
});

test('a request over the rate limit is retried', async () => {
  server.on('GET /v1/tracks/:id', ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { id: 't' } },
  );
  expect(await run({ resource: 'track', operation: 'get', id: 't' })).toEqual([{ id: 't' }]);
});
