import { type Item, isJsonObject, type JsonObject, type JsonValue, type NodeType } from '@sluice/node-sdk';
import {
  between,
  choice,
  choices,
  collection,
  list,
  mapItemsAsync,
  number,
  text,
  toggle,
  where,
} from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { asText } from '../../shared/json-values.ts';
import { ServiceItem } from '../../shared/service-item.ts';

/** https://quickchart.io/documentation/usage/post-endpoint/ */
const client = new ApiClient({ service: 'QuickChart', credentialType: () => undefined, baseUrl: 'https://quickchart.io' });

const types = choices(
  ['bar', 'Bar Chart'],
  ['doughnut', 'Doughnut Chart'],
  ['line', 'Line Chart'],
  ['pie', 'Pie Chart'],
  ['polarArea', 'Polar Chart'],
);
const formats = choices(['png', 'PNG'], ['svg', 'SVG'], ['webp', 'WebP']);

const chartOptions = [
  text('backgroundColor', 'Background Color', 'Color of the image, such as `white`; default: transparent'),
  between(1, 2, number('devicePixelRatio', 'Device Pixel Ratio', 2, 'Factor of width and height: 1 or 2')),
  choice('format', 'Format', formats),
  number('height', 'Height', 300, 'Height in pixels, before the ratio'),
  toggle('horizontal', 'Horizontal', 'Whether bars are horizontal'),
  number('width', 'Width', 500, 'Width in pixels, before the ratio'),
];
/** https://www.chartjs.org/docs/2.9.4/charts/line.html#dataset-properties */
const datasetOptions = [
  text('backgroundColor', 'Background Color', 'Color of bars, slices, or the area below a line', { acceptsList: true }),
  text('borderColor', 'Border Color', 'Color of lines and borders', { acceptsList: true }),
  toggle('fill', 'Fill', 'Whether the area below a line is filled', { default: true }),
  text('label', 'Label', 'Name of the data in the legend'),
  text('pointStyle', 'Point Style', 'Shape of points, such as `circle`, `rect`, or `triangle`'),
];

/** Creates an image of a chart for each item. */
export const quickChart: NodeType = {
  description: {
    displayName: 'QuickChart',
    name: 'quick-chart',
    group: ['output'],
    version: 1,
    description: 'Creates images of charts with QuickChart',
    defaults: { name: 'QuickChart' },
    inputs: ['main'],
    outputs: ['main'],
    icon: 'fa:chart-bar',
    iconColor: 'blue',
    usableAsTool: true,
    properties: [
      choice('chartType', 'Chart Type', types),
      choice('labelsMode', 'Add Labels', choices(['manually', 'Manually'], ['array', 'From Array'])),
      list(
        'labelsUi',
        'Labels',
        'labelsValues',
        [text('label', 'Label', 'Label of a value')],
        where({ labelsMode: ['manually'] }),
      ),
      text('labelsArray', 'Labels Array', 'A list of labels', {
        required: true,
        acceptsList: true,
        ...where({ labelsMode: ['array'] }),
      }),
      text('data', 'Data', 'A list of numbers, or of points for the chart', { required: true, acceptsAnyValue: true }),
      text('output', 'Put Output In Field', 'Property of the item that gets the image', { default: 'data' }),
      collection('chartOptions', 'Chart Options', chartOptions),
      collection('datasetOptions', 'Dataset Options', datasetOptions),
    ],
  },
  execute: async (context) => [
    await mapItemsAsync(context, async (_, index) => [await chartOf(new ServiceItem(context, index, client))]),
  ],
};

async function chartOf(item: ServiceItem): Promise<Item> {
  const { horizontal, format = 'png', ...size } = item.typedFields('chartOptions', chartOptions);
  const data = listOf(item, 'data');
  if (data.length === 0) throw item.error('the parameter "data" is required', 'Set it to a list of numbers');
  const datasets = [{ ...item.typedFields('datasetOptions', datasetOptions), data }];
  const type = item.text('chartType', 'bar');
  const chart = {
    type: type === 'bar' && horizontal === true ? 'horizontalBar' : type,
    data: { labels: labelsOf(item), datasets },
  };
  const request = { path: '/chart', json: { version: '2', ...size, format, chart } };
  const file = { fileName: `chart.${asText(format)}` };
  const { json, binary } = await item.download(request, { chart }, item.text('output', 'data') || 'data', file);
  return { json, binary, pairedItem: { item: item.index } };
}

function labelsOf(item: ServiceItem): JsonValue[] {
  if (item.text('labelsMode', 'manually') === 'array') return listOf(item, 'labelsArray');
  return item.entries('labelsUi.labelsValues').map(({ label = '' }: JsonObject) => label);
}

/** A list, as JSON text or already parsed, or text with commas. */
function listOf(item: ServiceItem, path: string): JsonValue[] {
  const value = item.context.parameter<JsonValue>(path, item.index) ?? '';
  const isText = typeof value === 'string' && !value.trim().startsWith('[');
  if (isText)
    return value
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
  const parsed = item.json(path) ?? [];
  if (Array.isArray(parsed)) return parsed;
  if (!isJsonObject(parsed)) return [parsed];
  throw item.error(`the parameter "${path}" is not a list`, 'Set it to a list such as [1, 2, 3]');
}
