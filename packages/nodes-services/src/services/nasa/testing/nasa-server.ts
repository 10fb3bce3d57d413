import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const date = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' };
const degrees = { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' };
const api_key = { const: 'k1' };
const place = fields({ 'api_key!': api_key, 'lat!': degrees, 'lon!': degrees, date, dim: degrees });

const flare = { flrID: '2026-01-02T03:04:00-FLR-001', classType: 'M1.2', sourceLocation: 'N10W20' };
const events: ApiRoute = {
  query: fields({ 'api_key!': api_key, startDate: date, endDate: date }),
  answer: () => ({ json: [flare] }),
};

/** https://api.nasa.gov, for the key `k1`; there are 45 asteroids. */
export function nasaServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://api.nasa.gov',
    routes: {
      'GET /planetary/apod': {
        query: fields({ 'api_key!': api_key, date }),
        answer: () => ({
          json: {
            title: 'A Galaxy',
            media_type: 'image',
            url: 'https://apod.nasa.gov/apod/image/g_small.jpg',
            hdurl: 'https://apod.nasa.gov/apod/image/g.jpg',
          },
        }),
      },
      'GET /neo/rest/v1/neo/browse': {
        query: fields({ 'api_key!': api_key, 'size!': { const: '20' }, page: { enum: ['1', '2'] } }),
        answer({ query }) {
          const page = Number(query['page'] ?? 0);
          const near_earth_objects = Array.from({ length: page === 2 ? 5 : 20 }, (_, id) => ({ id: `${page * 20 + id}` }));
          return { json: { page: { size: 20, number: page, total_pages: 3, total_elements: 45 }, near_earth_objects } };
        },
      },
      'GET /neo/rest/v1/feed': {
        query: fields({ 'api_key!': api_key, start_date: date, end_date: date }),
        answer: () => ({
          json: {
            element_count: 3,
            near_earth_objects: { '2026-01-02': [{ id: '3' }], '2026-01-01': [{ id: '1' }, { id: '2' }] },
          },
        }),
      },
      'GET /neo/rest/v1/neo/:id': {
        query: fields({ 'api_key!': api_key }),
        answer: ({ params }) => ({ json: { id: params['id'], name: '(2010 PK9)' } }),
      },
      ...Object.fromEntries(
        ['CME', 'HSS', 'MPC', 'RBE', 'SEP', 'FLR', 'WSAEnlilSimulations'].map((list) => [`GET /DONKI/${list}`, events]),
      ),
      'GET /DONKI/IPS': {
        ...events,
        query: fields({
          'api_key!': api_key,
          startDate: date,
          endDate: date,
          location: { enum: ['ALL', 'earth', 'MESSENGER', 'STEREO A', 'STEREO B'] },
          catalog: { enum: ['ALL', 'SWRC_CATALOG', 'WINSLOW_MESSENGER_ICME_CATALOG'] },
        }),
      },
      'GET /DONKI/notifications': {
        ...events,
        query: fields({
          'api_key!': api_key,
          startDate: date,
          endDate: date,
          type: { enum: ['all', 'FLR', 'SEP', 'CME', 'IPS', 'MPC', 'GST', 'RBE', 'report'] },
        }),
      },
      'GET /planetary/earth/imagery': {
        query: place,
        answer: () => ({ text: 'png', headers: { 'content-type': 'image/png' } }),
      },
      'GET /planetary/earth/assets': {
        query: place,
        answer: () => ({ json: { date: '2026-01-01T00:00:00', url: 'https://x' } }),
      },
    },
  });
}

/** The pictures of the day, without a key. */
export function apodServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://apod.nasa.gov',
    routes: { 'GET /apod/image/g.jpg': { answer: () => ({ text: 'jpeg', headers: { 'content-type': 'image/jpeg' } }) } },
  });
}
