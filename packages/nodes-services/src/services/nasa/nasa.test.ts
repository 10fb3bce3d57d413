import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { HttpClient, JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './nasa.example.ts';
import { nasa } from './nasa.ts';
import { apodServer, nasaServer } from './testing/nasa-server.ts';

let server: ApiServer;
let pictures: ApiServer;
let http: HttpClient;
beforeAll(async () => {
  [server, pictures] = await Promise.all([nasaServer(), apodServer()]);
  const of = ({ url }: { url: string }) => (url.startsWith('https://apod.nasa.gov') ? pictures : server).http;
  http = {
    ...server.http,
    request: (request, signal) => of(request).request(request, signal),
    stream: (request, signal, read) => of(request).stream(request, signal, read),
  };
});
afterEach(() => {
  for (const one of [server, pictures]) one.verify();
});
afterAll(() => Promise.all([server.close(), pictures.close()]));

const context = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({
  parameters,
  http,
  credentials: { nasaApi: { api_key: 'k1' } },
  ...more,
});
const run = (parameters: JsonObject, more: FakeRun = {}) => runForJson(nasa, context(parameters, more));
const sent = () => server.received.map(({ url }) => decodeURIComponent(url.replace(/[?&]api_key=k1/, '').replace('/&', '/?')));

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual(['/DONKI/FLR?startDate=2026-01-01&endDate=2026-01-07']);
});

test('the picture of the day is downloaded without the key', async () => {
  const [items = []] = await runNode(nasa, context({ additionalFields: { date: '2026-01-31' } }));
  expect(items?.[0]).toMatchObject({
    json: { title: 'A Galaxy' },
    binary: { data: { fileName: 'g.jpg', mimeType: 'image/jpeg', fileSize: 4 } },
  });
  expect(sent()).toEqual(['/planetary/apod?date=2026-01-31']);
  expect(pictures.received.map(({ url }) => url)).toEqual(['/apod/image/g.jpg']);
});

test.each([
  ['without "Download Image"', { download: false }, {}],
  ['a video', {}, { media_type: 'video' }],
  ['an address that is not HTTPS', {}, { hdurl: 'file:///etc/passwd' }],
])('%s is not downloaded', async (_, parameters, more) => {
  server.on('GET /planetary/apod', () => ({ json: { media_type: 'image', url: 'https://apod.nasa.gov/x', ...more } }));
  const [items = []] = await runNode(nasa, context(parameters));
  expect(items?.[0]).not.toHaveProperty('binary');
  expect(pictures.received).toEqual([]);
});

test.each<[JsonObject, string[], number]>([
  [{ limit: 5 }, ['/neo/rest/v1/neo/browse?size=20'], 5],
  [
    { returnAll: true },
    ['/neo/rest/v1/neo/browse?size=20', '/neo/rest/v1/neo/browse?size=20&page=1', '/neo/rest/v1/neo/browse?size=20&page=2'],
    45,
  ],
])('asteroids are read to the end, or to the limit: %j', async (parameters, requests, count) => {
  expect(await run({ resource: 'asteroidNeoBrowse', operation: 'getAll', ...parameters })).toHaveLength(count);
  expect(sent()).toEqual(requests);
});

test('the asteroids of a period are items in the order of their days', async () => {
  const additionalFields = { startDate: '2026-01-01T23:30:00Z', endDate: '2026-01-02' };
  expect(await run({ resource: 'asteroidNeoFeed', additionalFields })).toEqual([{ id: '1' }, { id: '2' }, { id: '3' }]);
  expect(sent()).toEqual(['/neo/rest/v1/feed?start_date=2026-01-01&end_date=2026-01-02']);
});

test.each<[JsonObject, string]>([
  [{ resource: 'asteroidNeoLookup', asteroidId: 3542519 }, '/neo/rest/v1/neo/3542519'],
  [{ resource: 'donkiCoronalMassEjection' }, '/DONKI/CME'],
  [{ resource: 'donkiHighSpeedStream' }, '/DONKI/HSS'],
  [
    { resource: 'donkiInterplanetaryShock', additionalFields: { location: 'earth', catalog: 'SWRC_CATALOG' } },
    '/DONKI/IPS?location=earth&catalog=SWRC_CATALOG',
  ],
  [{ resource: 'donkiMagnetopauseCrossing' }, '/DONKI/MPC'],
  [{ resource: 'donkiNotifications', additionalFields: { type: 'GST' } }, '/DONKI/notifications?type=GST'],
  [{ resource: 'donkiRadiationBeltEnhancement' }, '/DONKI/RBE'],
  [{ resource: 'donkiSolarEnergeticParticle' }, '/DONKI/SEP'],
  [{ resource: 'donkiWsaEnlilSimulation' }, '/DONKI/WSAEnlilSimulations'],
  [
    { resource: 'earthAssets', lat: '1.5', lon: -100.75, additionalFields: { date: '2026-01-31', dim: 0.1 } },
    '/planetary/earth/assets?lat=1.5&lon=-100.75&date=2026-01-31&dim=0.1',
  ],
])('%j requests %s', async (parameters, request) => {
  expect(await run(parameters)).toHaveLength(1);
  expect(sent()).toEqual([request]);
});

test('a picture of Earth is a file', async () => {
  const [items = []] = await runNode(nasa, context({ resource: 'earthImagery', lat: 1, lon: 2, binaryPropertyName: 'map' }));
  expect(items?.[0]?.binary?.['map']).toMatchObject({ fileName: 'earth.png', mimeType: 'image/png', fileSize: 3 });
});

test('a period without events has no items', async () => {
  server.on('GET /DONKI/FLR', () => ({ json: [] }));
  expect(await run(example.parameters)).toEqual([]);
});

test.each<[JsonObject, string]>([
  [{ resource: 'asteroidNeoLookup' }, 'the parameter "asteroidId" is required'],
  [{ additionalFields: { date: 'soon' } }, 'the parameter "additionalFields.date" is not a date'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error includes the text from NASA; a failed item does not affect the others', async () => {
  server.on('GET /planetary/apod', ({ count }) => {
    if (count === 1) return { status: 400, json: { code: 400, msg: 'Date must be between Jun 16, 1995 and today' } };
    return count === 2 ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: { title: 'A Galaxy' } };
  });
  expect(await run({ download: false }, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'NASA: Date must be between Jun 16, 1995 and today (400)' },
    { title: 'A Galaxy' },
  ]);
});
