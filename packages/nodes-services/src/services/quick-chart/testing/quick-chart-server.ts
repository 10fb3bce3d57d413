import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const pixels = { type: 'integer', minimum: 1 };
const color = { anyOf: [text, { type: 'array', items: text }] };

/** https://quickchart.io/documentation/usage/post-endpoint/ */
export function quickChartServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://quickchart.io',
    routes: {
      'POST /chart': {
        body: fields({
          'version!': { enum: ['2', '3', '4'] },
          width: pixels,
          height: pixels,
          devicePixelRatio: { enum: [1, 2] },
          format: { enum: ['png', 'svg', 'webp'] },
          backgroundColor: text,
          'chart!': fields({
            'type!': { enum: ['bar', 'horizontalBar', 'line', 'pie', 'doughnut', 'polarArea'] },
            'data!': fields({
              'labels!': { type: 'array' },
              'datasets!': {
                type: 'array',
                minItems: 1,
                items: fields({
                  'data!': { type: 'array', minItems: 1 },
                  label: text,
                  fill: { type: 'boolean' },
                  pointStyle: text,
                  backgroundColor: color,
                  borderColor: color,
                }),
              },
            }),
          }),
        }),
        answer: ({ body }) => {
          const { format } = body as { format: string };
          return { headers: { 'content-type': format === 'svg' ? 'image/svg+xml' : `image/${format}` }, text: 'image' };
        },
      },
    },
  });
}
