import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, localTime, number, text, toggle } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { defineService, type Operation, type Produced, type Resource } from '../../shared/define-service.ts';
import { objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import { onePage, type Paging } from '../../shared/paging.ts';
import { ServiceItem } from '../../shared/service-item.ts';

/** https://api.nasa.gov */
const client = new ApiClient({
  service: 'NASA',
  credentialType: 'nasaApi',
  baseUrl: 'https://api.nasa.gov',
  refusalOf({ body }) {
    const { msg } = objectOf(body);
    return typeof msg === 'string' ? { text: msg } : {};
  },
});
/** Pictures are on other hosts, which must not receive the key. */
const pictures = new ApiClient({ service: 'NASA', credentialType: () => undefined, baseUrl: '' });

const day = (name: string, displayName: string, description: string) =>
  text(name, displayName, description, { type: 'dateTime' });
const period = [day('startDate', 'Start Date', 'First day'), day('endDate', 'End Date', 'Last day')];
const property = text('binaryPropertyName', 'Put Output File in Field', 'Property of the item that receives the picture', {
  default: 'data',
});

/** A day as `2026-01-31`; `undefined` if it is empty. */
function dayOf(item: ServiceItem, path: string): string | undefined {
  const value = item.context.parameter<JsonValue>(path, item.index) ?? '';
  if (value === '') return undefined;
  const local = localTime(typeof value === 'string' ? value.slice(0, 100) : value, item.context.workflow.timezone);
  if (local) return local.date;
  throw item.error(`the parameter "${path}" is not a date`, 'Set it to a day such as 2026-01-31');
}

async function pictureOfTheDay(item: ServiceItem): Promise<Produced> {
  const picture = objectOf(await item.send({ path: '/planetary/apod', query: { date: dayOf(item, 'additionalFields.date') } }));
  const address = textOf(picture['hdurl']) || textOf(picture['url']);
  if (!item.toggle('download', true) || picture['media_type'] !== 'image' || !address.startsWith('https://')) return picture;
  const source = new ServiceItem(item.context, item.index, pictures);
  return source.download({ path: address }, picture, item.text('binaryPropertyName', 'data'));
}

const asteroidPages: Paging = {
  list: 'near_earth_objects',
  next({ body }) {
    const { number: page, total_pages: pages } = objectOf(objectOf(body)['page']);
    return typeof page === 'number' && typeof pages === 'number' && page + 1 < pages
      ? { query: { page: page + 1 } }
      : undefined;
  },
};

async function asteroidsOfDays(item: ServiceItem): Promise<JsonObject[]> {
  const query = { start_date: dayOf(item, 'additionalFields.startDate'), end_date: dayOf(item, 'additionalFields.endDate') };
  const days = objectOf(objectOf(await item.send({ path: '/neo/rest/v1/feed', query }))['near_earth_objects']);
  return Object.keys(days)
    .toSorted()
    .flatMap((one) => objectsOf(days[one]));
}

/** One of the lists of DONKI, the database of space weather. */
function spaceWeather(path: string, displayName: string, more: readonly NodeProperty[] = []): Resource {
  const get: Operation = {
    displayName: 'Get',
    description: 'Returns the events of a period; default: the last 30 days, or 7 for notifications',
    properties: [collection('additionalFields', 'Additional Fields', [...period, ...more])],
    run(item) {
      const chosen = Object.fromEntries(more.map(({ name }) => [name, item.text(`additionalFields.${name}`)]));
      const startDate = dayOf(item, 'additionalFields.startDate');
      const query = { startDate, endDate: dayOf(item, 'additionalFields.endDate'), ...chosen };
      return item.list({ path: `/DONKI/${path}`, query }, onePage(), Number.POSITIVE_INFINITY);
    },
  };
  return { displayName, operations: { get } };
}

const place = [
  number('lat', 'Latitude', 0, 'Degrees north of the equator, such as `47.75`', { required: true }),
  number('lon', 'Longitude', 0, 'Degrees east of Greenwich, such as `-122.5`', { required: true }),
];
const view = collection('additionalFields', 'Additional Fields', [
  day('date', 'Date', 'The picture taken nearest to this day'),
  number('dim', 'Degrees', 0.025, 'Width and height of the picture, in degrees'),
]);

const viewOf = (item: ServiceItem): JsonObject => ({
  lat: item.number('lat', 0),
  lon: item.number('lon', 0),
  date: dayOf(item, 'additionalFields.date') ?? '',
  dim: item.text('additionalFields.dim'),
});

const get = (description: string, properties: readonly NodeProperty[], run: Operation['run']): Resource['operations'] => ({
  get: { displayName: 'Get', description, properties, run },
});

const asteroids: Readonly<Record<string, Resource>> = {
  asteroidNeoBrowse: {
    displayName: 'Asteroid Neo-Browse',
    operations: {
      getAll: {
        displayName: 'Get Many',
        description: 'Returns the known asteroids near Earth',
        properties: listPropertiesOf(20),
        run: (item) => item.list({ path: '/neo/rest/v1/neo/browse', query: { size: 20 } }, asteroidPages, item.limit(20)),
      },
    },
  },
  asteroidNeoFeed: {
    displayName: 'Asteroid Neo-Feed',
    operations: get(
      'Returns the asteroids that come closest to Earth in a period of up to 7 days',
      [collection('additionalFields', 'Additional Fields', period)],
      asteroidsOfDays,
    ),
  },
  asteroidNeoLookup: {
    displayName: 'Asteroid Neo-Lookup',
    operations: get(
      'Returns an asteroid and its approaches',
      [
        text('asteroidId', 'Asteroid ID', 'ID in the catalog of small bodies, such as `3542519`', { required: true }),
        collection('additionalFields', 'Additional Fields', []),
      ],
      (item) => item.send({ path: `/neo/rest/v1/neo/${encodeURIComponent(item.required('asteroidId').trim())}` }),
    ),
  },
};

const earth: Readonly<Record<string, Resource>> = {
  earthImagery: {
    displayName: 'Earth Imagery',
    operations: get('Downloads a satellite picture of a place', [...place, property, view], (item) => {
      const query = viewOf(item);
      return item.download({ path: '/planetary/earth/imagery', query }, query, item.text('binaryPropertyName', 'data'), {
        fileName: 'earth.png',
        mimeType: 'image/png',
      });
    }),
  },
  earthAssets: {
    displayName: 'Earth Assets',
    operations: get('Returns date and address of the satellite picture of a place', [...place, view], (item) =>
      item.send({ path: '/planetary/earth/assets', query: viewOf(item) }),
    ),
  },
};

const shocks = [
  choice('location', 'Location', [
    ...choices(['ALL', 'All'], ['earth', 'Earth'], ['MESSENGER', 'MESSENGER']),
    ...choices(['STEREO A', 'STEREO A'], ['STEREO B', 'STEREO B']),
  ]),
  choice('catalog', 'Catalog', [
    ...choices(['ALL', 'All'], ['SWRC_CATALOG', 'SWRC Catalog']),
    ...choices(['WINSLOW_MESSENGER_ICME_CATALOG', 'Winslow MESSENGER ICME Catalog']),
  ]),
];
const kinds = choice('type', 'Type', [
  ...choices(['all', 'All'], ['FLR', 'Solar Flare'], ['SEP', 'Solar Energetic Particle'], ['CME', 'Coronal Mass Ejection']),
  ...choices(['IPS', 'Interplanetary Shock'], ['MPC', 'Magnetopause Crossing'], ['GST', 'Geomagnetic Storm']),
  ...choices(['RBE', 'Radiation Belt Enhancement'], ['report', 'Report']),
]);

/** Pictures, asteroids, and space weather. */
export const nasa = defineService({
  displayName: 'NASA',
  name: 'nasa',
  version: 1,
  description: 'Gets pictures, asteroids, and space weather from NASA',
  credentials: [{ name: 'nasaApi', required: true }],
  icon: 'fa:rocket',
  iconColor: 'blue',
  group: ['input'],
  client,
  resources: {
    astronomyPictureOfTheDay: {
      displayName: 'Astronomy Picture of the Day',
      operations: get(
        'Returns the picture of a day, and downloads it',
        [
          toggle('download', 'Download Image', 'Whether to download the picture; videos are never downloaded', {
            default: true,
          }),
          property,
          collection('additionalFields', 'Additional Fields', [day('date', 'Date', 'Default: today')]),
        ],
        pictureOfTheDay,
      ),
    },
    ...asteroids,
    donkiCoronalMassEjection: spaceWeather('CME', 'DONKI Coronal Mass Ejection'),
    donkiHighSpeedStream: spaceWeather('HSS', 'DONKI High Speed Stream'),
    donkiInterplanetaryShock: spaceWeather('IPS', 'DONKI Interplanetary Shock', shocks),
    donkiMagnetopauseCrossing: spaceWeather('MPC', 'DONKI Magnetopause Crossing'),
    donkiNotifications: spaceWeather('notifications', 'DONKI Notifications', [kinds]),
    donkiRadiationBeltEnhancement: spaceWeather('RBE', 'DONKI Radiation Belt Enhancement'),
    donkiSolarEnergeticParticle: spaceWeather('SEP', 'DONKI Solar Energetic Particle'),
    donkiSolarFlare: spaceWeather('FLR', 'DONKI Solar Flare'),
    donkiWsaEnlilSimulation: spaceWeather('WSAEnlilSimulations', 'DONKI WSA+EnlilSimulation'),
    ...earth,
  },
});
