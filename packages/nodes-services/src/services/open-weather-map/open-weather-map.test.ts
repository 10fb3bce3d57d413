import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runForJson } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './open-weather-map.example.ts';
import { openWeatherMap } from './open-weather-map.ts';
import { openWeatherMapServer } from './testing/open-weather-map-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await openWeatherMapServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const credentials = { openWeatherMapApi: { accessToken: 'k1' } };
const run = (parameters: JsonObject, more: FakeRun = {}) =>
  runForJson(openWeatherMap, { parameters, http: server.http, credentials, ...more });
const queries = () => server.received.map(({ url }) => decodeURIComponent(url.replace(/^.*?\?/, '').replace(/&?appid=k1/, '')));

test('the example', async () => {
  expect(await run(example.parameters)).toEqual(example.outputs?.[0]);
  expect(queries()).toEqual(['q=berlin,de&units=metric&lang=en']);
});

test.each<[JsonObject, string]>([
  [{ cityName: 'London', format: 'imperial' }, 'q=London&units=imperial'],
  [{ locationSelection: 'cityId', cityId: 2950159 }, 'id=2950159&units=metric'],
  [{ locationSelection: 'coordinates', latitude: '52.5', longitude: -13 }, 'lat=52.5&lon=-13&units=metric'],
  [{ locationSelection: 'zipCode', zipCode: '90210', format: 'standard' }, 'zip=90210&units=standard'],
])('a place is named by %j', async (parameters, query) => {
  await run(parameters);
  expect(queries()).toEqual([query]);
});

test('a forecast is one item', async () => {
  const output = await run({ operation: '5DayForecast', cityName: 'berlin' });
  expect(output).toEqual([{ cnt: 1, list: [{ dt: 1 }], city: { name: 'Berlin' } }]);
  expect(server.received[0]?.url).toMatch(/^\/data\/2\.5\/forecast\?/);
});

test('a place is required', async () => {
  for (const locationSelection of ['cityName', 'cityId', 'coordinates', 'zipCode'])
    await expect(run({ locationSelection })).rejects.toThrow(/is required/);
  expect(server.received).toEqual([]);
});

test('an error includes the text from the service; a failed item does not affect the others', async () => {
  server.on('GET /data/2.5/weather', ({ count }) =>
    count === 1 ? { status: 404, json: { cod: '404', message: 'city not found' } } : { json: { name: 'Berlin' } },
  );
  expect(await run(example.parameters, { json: [{}, {}], continueOnFail: true })).toEqual([
    { error: 'OpenWeatherMap: city not found (404)' },
    { name: 'Berlin' },
  ]);
});

test('a rate-limited request is retried', async () => {
  server.on('GET /data/2.5/weather', ({ count }) =>
    count === 1 ? { status: 429, headers: { 'retry-after': '0' }, json: { cod: 429 } } : { json: { name: 'Berlin' } },
  );
  expect(await run(example.parameters)).toEqual([{ name: 'Berlin' }]);
});
