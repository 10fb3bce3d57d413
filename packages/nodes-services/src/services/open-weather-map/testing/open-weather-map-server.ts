import { type ApiRoute, type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const decimal = { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' };
const common = { 'appid!': { const: 'k1' }, 'units!': { enum: ['metric', 'imperial', 'standard'] }, lang: text };
const query = {
  oneOf: [
    { 'q!': text },
    { 'id!': { type: 'string', pattern: '^\\d+$' } },
    { 'lat!': decimal, 'lon!': decimal },
    { 'zip!': text },
  ].map((place) => fields({ ...common, ...place })),
};
const answering = (json: object): ApiRoute => ({ query, answer: () => ({ json }) });

/** https://openweathermap.org/api, for the key `k1`. */
export function openWeatherMapServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://api.openweathermap.org',
    routes: {
      'GET /data/2.5/weather': answering({ name: 'Berlin', weather: [{ description: 'light rain' }], main: { temp: 7.5 } }),
      'GET /data/2.5/forecast': answering({ cnt: 1, list: [{ dt: 1 }], city: { name: 'Berlin' } }),
    },
  });
}
