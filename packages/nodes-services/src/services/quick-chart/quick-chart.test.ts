import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runForJson, runNode } from '@sluice/nodes-base/testing';
import type { ApiServer } from '../../testing/api-server.ts';
import { example } from './quick-chart.example.ts';
import { quickChart } from './quick-chart.ts';
import { quickChartServer } from './testing/quick-chart-server.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await quickChartServer();
});
afterEach(() => server.verify());
afterAll(() => server.close());

const context = (parameters: JsonObject, more: FakeRun = {}): FakeRun => ({ parameters, http: server.http, ...more });
const run = (parameters: JsonObject, more: FakeRun = {}) => runForJson(quickChart, context(parameters, more));
const sent = () => server.received.map(({ body }) => JSON.parse(body.toString()));
const dataset = (more: JsonObject) => ({ labels: [], datasets: [{ data: [1, 2], ...more }] });

test('the example draws a chart from two lists', async () => {
  const parameters = { ...example.parameters, labelsArray: ['January', 'February'], data: [120, 60] };
  expect(await run(parameters)).toEqual(example.outputs?.[0]);
  expect(sent()).toEqual([{ version: '2', backgroundColor: 'white', format: 'png', ...example.outputs?.[0]?.[0] }]);
});

test.each<[JsonObject, JsonObject]>([
  [{ data: '[1, 2]' }, { format: 'png', chart: { type: 'bar', data: dataset({}) } }],
  [
    { chartType: 'polarArea', data: '1, 2', labelsMode: 'array', labelsArray: 'a, b' },
    { format: 'png', chart: { type: 'polarArea', data: { labels: ['a', 'b'], datasets: [{ data: ['1', '2'] }] } } },
  ],
  [
    { data: [1, 2], labelsUi: { labelsValues: [{ label: 'a' }, { label: 2 }] } },
    { format: 'png', chart: { type: 'bar', data: { labels: ['a', 2], datasets: [{ data: [1, 2] }] } } },
  ],
  [
    {
      data: [1, 2],
      chartOptions: { horizontal: true, width: '800', height: 400, devicePixelRatio: 1, format: 'svg' },
      datasetOptions: { fill: false, backgroundColor: ['red', 'blue'], pointStyle: 'rect' },
    },
    {
      width: 800,
      height: 400,
      devicePixelRatio: 1,
      format: 'svg',
      chart: {
        type: 'horizontalBar',
        data: dataset({ fill: false, backgroundColor: ['red', 'blue'], pointStyle: 'rect' }),
      },
    },
  ],
])('%j sends %j', async (parameters, request) => {
  await run(parameters);
  expect(sent()).toEqual([{ version: '2', ...request }]);
});

test('each item gets its image', async () => {
  const parameters = { data: [1, 2], output: 'chart', chartOptions: { format: 'webp' } };
  const [items = []] = await runNode(quickChart, context(parameters, { json: [{}, {}] }));
  expect(items?.map(({ binary, pairedItem }) => [binary?.['chart'], pairedItem])).toMatchObject([
    [{ fileName: 'chart.webp', mimeType: 'image/webp', fileSize: 5 }, { item: 0 }],
    [{ fileName: 'chart.webp', mimeType: 'image/webp', fileSize: 5 }, { item: 1 }],
  ]);
});

test.each<[JsonObject, string]>([
  [{}, 'the parameter "data" is required'],
  [{ data: { a: 1 } }, 'the parameter "data" is not a list'],
])('%j is refused before a request', async (parameters, message) => {
  await expect(run(parameters)).rejects.toMatchObject({ message, itemIndex: 0 });
  expect(server.received).toEqual([]);
});

test('an error of the service fails its item only, and a rate-limited request is retried', async () => {
  server.on('POST /chart', ({ count }) => {
    if (count === 1) return { status: 400, headers: { 'content-type': 'text/plain' }, text: 'Chart Error: invalid type' };
    return count === 2 ? { status: 429, headers: { 'retry-after': '0' }, text: '' } : { text: 'image' };
  });
  const [failed, drawn] = await run({ data: [1] }, { json: [{}, {}], continueOnFail: true });
  expect(failed).toEqual({ error: expect.stringContaining('QuickChart: ') });
  expect(drawn).toMatchObject({ chart: { type: 'bar' } });
});
