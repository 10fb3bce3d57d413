import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Draws a bar chart of sales per month.',
  needs: 'no account: the images of the public service at quickchart.io are free within its limits',
  notes:
    'The data is sent to quickchart.io, which draws the chart with Chart.js 2. For several series, or other types, send a whole configuration with an HTTP Request node.',
  parameters: {
    labelsMode: 'array',
    labelsArray: '={{ $json.months }}',
    data: '={{ $json.sales }}',
    chartOptions: { backgroundColor: 'white' },
    datasetOptions: { label: 'Sales' },
  },
  inputs: [[{ months: ['January', 'February'], sales: [120, 60] }]],
  outputs: [
    [
      {
        chart: {
          type: 'bar',
          data: { labels: ['January', 'February'], datasets: [{ label: 'Sales', data: [120, 60] }] },
        },
      },
    ],
  ],
};
