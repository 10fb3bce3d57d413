import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject, MethodContext } from '@sluice/node-sdk';
import { type FakeRun, memoryBinary, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { webhookContext } from '../../testing/webhook-context.ts';
import { youTubeServer } from './testing/you-tube-server.ts';
import { example } from './you-tube.example.ts';
import { youTube } from './you-tube.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await youTubeServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { youTubeOAuth2Api: { oauthTokenData: { access_token: 'ya29' } } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(youTube, { parameters, http: server.http, credentials, ...more });
const sent = () => server.received.map(({ method, url }) => `${method} ${decodeURIComponent(url).replace('/youtube/v3', '')}`);
const bodyOf = (index = -1) => JSON.parse(server.received.at(index)?.body.toString() || 'null') as JsonObject;

test('the example: all pages of a search', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(sent()[0]).toBe(
    'GET /search?part=snippet&type=video&channelId=UC1&publishedAfter=2026-01-01T00:00:00.000Z&order=date&maxResults=2',
  );
});

test('a search has all its filters', async () => {
  const filters = {
    forDeveloper: true,
    publishedBefore: '2026-02-01',
    q: 'a b',
    regionCode: 'DE',
    relatedToVideoId: 'v1',
    videoCategoryId: '1',
    videoSyndicated: true,
    videoType: 'movie',
  };
  await run({ resource: 'video', operation: 'getAll', limit: 1, filters, options: { safeSearch: 'none' } });
  const { searchParams } = new URL(server.received[0]?.url ?? '', server.origin);
  expect(Object.fromEntries(searchParams)).toMatchObject({
    ...filters,
    forDeveloper: 'true',
    videoSyndicated: 'true',
    publishedBefore: '2026-02-01T00:00:00.000Z',
    safeSearch: 'none',
  });
});

const ids = { channelId: 'UC1', playlistId: 'PL1', playlistItemId: 'PI1', videoId: 'v1' };
const video =
  'contentDetails,id,liveStreamingDetails,localizations,player,recordingDetails,snippet,statistics,status,topicDetails';
const list = 'contentDetails,id,localizations,player,snippet,status';

test.each<[string, string, JsonObject, string, JsonObject | null]>([
  ['channel', 'get', { part: ['snippet', 'statistics'] }, 'GET /channels?part=snippet,statistics&id=UC1', null],
  ['channel', 'getAll', { part: 'id' }, 'GET /channels?part=id&mine=true&maxResults=25', null],
  [
    'channel',
    'getAll',
    {
      part: ['id'],
      filters: { id: ['a', 'b'], managedByMe: true },
      options: { languageCode: 'de', onBehalfOfContentOwner: 'o' },
    },
    'GET /channels?part=id&id=a,b&managedByMe=true&hl=de&onBehalfOfContentOwner=o&maxResults=25',
    null,
  ],
  [
    'playlist',
    'create',
    { title: 'T', options: { description: 'd', privacyStatus: 'public', tags: 'a, b', onBehalfOfContentOwner: 'o' } },
    'POST /playlists?part=snippet,status&onBehalfOfContentOwner=o',
    { snippet: { title: 'T', description: 'd', tags: ['a', 'b'] }, status: { privacyStatus: 'public' } },
  ],
  ['playlist', 'delete', {}, 'DELETE /playlists?id=PL1', null],
  ['playlist', 'get', { options: { languageCode: 'de' } }, `GET /playlists?part=${list}&hl=de&id=PL1`, null],
  ['playlist', 'getAll', { part: ['*'] }, `GET /playlists?part=${list}&mine=true&maxResults=25`, null],
  [
    'playlist',
    'getAll',
    { part: ['id'], filters: { channelId: 'UC2' } },
    'GET /playlists?part=id&channelId=UC2&maxResults=25',
    null,
  ],
  [
    'playlistItem',
    'add',
    { options: { position: 0, note: 'n', startAt: 'PT1S' } },
    'POST /playlistItems?part=snippet,contentDetails',
    {
      snippet: { playlistId: 'PL1', resourceId: { kind: 'youtube#video', videoId: 'v1' }, position: 0 },
      contentDetails: { note: 'n', startAt: 'PT1S' },
    },
  ],
  [
    'playlistItem',
    'delete',
    { options: { onBehalfOfContentOwner: 'o' } },
    'DELETE /playlistItems?id=PI1&onBehalfOfContentOwner=o',
    null,
  ],
  ['playlistItem', 'get', { part: ['snippet'] }, 'GET /playlistItems?part=snippet&id=PI1', null],
  ['video', 'delete', {}, 'DELETE /videos?id=v1', null],
  ['video', 'get', {}, `GET /videos?part=${video}&id=v1`, null],
  ['video', 'rate', { rating: 'none' }, 'POST /videos/rate?id=v1&rating=none', null],
  ['videoCategory', 'getAll', { regionCode: 'DE', limit: 1 }, 'GET /videoCategories?part=snippet&regionCode=DE', null],
])('%s %s %j is one request', async (resource, operation, parameters, request, body) => {
  expect(await run({ ...ids, resource, operation, ...parameters })).toHaveLength(1);
  expect(sent()).toEqual([request]);
  expect(bodyOf()).toEqual(body);
});

test('playlist entries are read page by page', async () => {
  const output = await run({ resource: 'playlistItem', operation: 'getAll', playlistId: 'PL1', returnAll: true });
  expect(output).toEqual([{ id: 'i1' }, { id: 'i2' }]);
  expect(sent()[1]).toContain('maxResults=50&pageToken=next');
});

describe('a change keeps the other values', () => {
  test('of a video', async () => {
    const updateFields = { tags: 'a,b', publishAt: '2026-02-01T00:00:00Z', embeddable: false, recordingDate: '2026-01-01' };
    const parameters = { resource: 'video', operation: 'update', title: 'New', categoryId: '2', updateFields };
    await run({ ...ids, ...parameters });
    expect(sent()).toEqual([
      'GET /videos?part=snippet,status,recordingDetails&id=v1',
      'PUT /videos?part=snippet,status,recordingDetails',
    ]);
    expect(bodyOf()).toEqual({
      id: 'v1',
      snippet: { title: 'New', description: 'd', categoryId: '2', tags: ['a', 'b'] },
      status: { privacyStatus: 'private', embeddable: false, publishAt: '2026-02-01T00:00:00.000Z' },
      recordingDetails: { recordingDate: '2026-01-01T00:00:00.000Z' },
    });
  });

  test('of a playlist', async () => {
    await run({ ...ids, resource: 'playlist', operation: 'update', title: 'New', updateFields: { privacyStatus: 'unlisted' } });
    expect(bodyOf()).toEqual({
      id: 'PL1',
      snippet: { title: 'New', description: 'd' },
      status: { privacyStatus: 'unlisted' },
    });
  });

  test('of a channel', async () => {
    const brandingSettingsUi = {
      channelSettingsValues: { channel: { title: 'New', featuredChannelsUrls: ['a'] } },
      statusValues: { status: { selfDeclaredMadeForKids: false } },
    };
    await run({ ...ids, resource: 'channel', operation: 'update', updateFields: { brandingSettingsUi } });
    expect(bodyOf()).toEqual({
      id: 'UC1',
      brandingSettings: { channel: { title: 'New', country: 'US', featuredChannelsUrls: ['a'] }, image: {} },
      status: { selfDeclaredMadeForKids: false },
    });
    expect(sent()).toEqual(['GET /channels?part=brandingSettings,status&id=UC1', 'PUT /channels?part=brandingSettings,status']);
  });
});

describe('an upload', () => {
  const withFile = async (mimeType: string): Promise<FakeRun> => {
    const binary = memoryBinary();
    return { binary, inputs: [[{ json: {}, binary: { data: await binary.store(Buffer.from('abc'), { mimeType }) } }]] };
  };

  test('of a video has metadata', async () => {
    const options = { description: 'd', privacyStatus: 'unlisted', license: 'youtube', notifySubscribers: false };
    const parameters = { resource: 'video', operation: 'upload', title: 'T', categoryId: '1', options };
    expect(await run(parameters, await withFile('video/mp4'))).toMatchObject([{ uploadId: 'v9', id: 'v9' }]);
    expect(sent()[0]).toBe('POST /upload/videos?part=snippet,status&notifySubscribers=false&uploadType=resumable');
    expect(bodyOf(0)).toEqual({
      snippet: { title: 'T', categoryId: '1', description: 'd' },
      status: { license: 'youtube', privacyStatus: 'unlisted' },
    });
  });

  test('of a banner shows it on the channel', async () => {
    await run({ resource: 'channel', operation: 'uploadBanner', channelId: 'UC1' }, await withFile('image/png'));
    expect(bodyOf()).toMatchObject({ brandingSettings: { image: { bannerExternalUrl: 'https://banner.example' } } });
  });
});

test('an unknown ID is an error; a failed item does not affect the others; a request over the quota is retried', async () => {
  const error = { error: { errors: [{ reason: 'rateLimitExceeded' }], message: 'Quota' } };
  server.on('DELETE /youtube/v3/videos', ({ count }) =>
    count === 1 ? { status: 403, headers: { 'retry-after': '0' }, json: error } : { status: 204 },
  );
  const parameters = (index: number) => ({
    resource: 'video',
    operation: index === 0 ? 'get' : 'delete',
    videoId: index === 0 ? 'none' : 'v1',
  });
  const output = await runForJson(youTube, {
    parameters,
    http: server.http,
    credentials,
    json: [{}, {}],
    continueOnFail: true,
  });
  expect(output).toEqual([{ error: 'YouTube has no video with this ID' }, { success: true }]);
});

test('an error includes the reason from Google', async () => {
  const json = { error: { code: 403, message: 'The request cannot be completed.', errors: [{ reason: 'quotaExceeded' }] } };
  server.on('GET /youtube/v3/search', () => ({ status: 403, json }));
  await expect(run({ resource: 'video', operation: 'getAll' })).rejects.toMatchObject({
    message: 'YouTube: The request cannot be completed. (quotaExceeded)',
    itemIndex: 0,
  });
});

test('countries, languages, and categories can be chosen', async () => {
  const context: MethodContext = webhookContext({ http: server.http, credentials });
  const { getCountriesCodes, getLanguages, getVideosCategories } = youTube.methods?.loadOptions ?? {};
  expect(await getCountriesCodes?.(context)).toEqual([{ name: 'Germany', value: 'DE' }]);
  expect(await getLanguages?.(context)).toEqual([{ name: 'German', value: 'de' }]);
  expect(await getVideosCategories?.(context)).toEqual([
    { name: 'Film', value: '1' },
    { name: 'Cars', value: '2' },
  ]);
});

test('before a country is selected, the categories of the United States are listed', async () => {
  const context: MethodContext = webhookContext({ http: server.http, credentials, parameters: { regionCode: '' } });
  expect(await youTube.methods?.loadOptions?.['getVideosCategories']?.(context)).toHaveLength(2);
  expect(sent()[0]).toContain('regionCode=US');
});
