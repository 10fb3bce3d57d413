import { choice, choices, number, text, where } from '@sluice/nodes-base/node-tools';
import { ApiClient, type ApiRequest } from '../../shared/api-client.ts';
import { defineService, type Operation, type Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://openweathermap.org/current and https://openweathermap.org/forecast5 */
const client = new ApiClient({
  service: 'OpenWeatherMap',
  credentialType: 'openWeatherMapApi',
  baseUrl: 'https://api.openweathermap.org/data/2.5',
});

const place = [
  choice(
    'locationSelection',
    'Location Selection',
    choices(['cityName', 'City Name'], ['cityId', 'City ID'], ['coordinates', 'Coordinates'], ['zipCode', 'Zip Code']),
  ),
  text('cityName', 'City', 'Name of the city; its country may follow a comma, such as `berlin,de`', {
    required: true,
    ...where({ locationSelection: ['cityName'] }),
  }),
  number('cityId', 'City ID', 0, 'ID of the city', { required: true, ...where({ locationSelection: ['cityId'] }) }),
  text('latitude', 'Latitude', 'Such as `52.52`', { required: true, ...where({ locationSelection: ['coordinates'] }) }),
  text('longitude', 'Longitude', 'Such as `13.41`', { required: true, ...where({ locationSelection: ['coordinates'] }) }),
  text('zipCode', 'Zip Code', 'Postal code; its country may follow a comma, such as `10115,de`', {
    required: true,
    ...where({ locationSelection: ['zipCode'] }),
  }),
];

const properties = [
  choice(
    'format',
    'Format',
    choices(
      ['metric', 'Metric', 'Celsius, meters per second'],
      ['imperial', 'Imperial', 'Fahrenheit, miles per hour'],
      ['standard', 'Scientific', 'Kelvin, meters per second'],
    ),
  ),
  ...place,
  text('language', 'Language', 'Code of the language of descriptions, such as `en` or `de`'),
];

const asking = (path: string, displayName: string, description: string): Operation => ({
  displayName,
  description,
  properties,
  run: (item) =>
    item.send({ path, query: { ...placeOf(item), units: item.text('format', 'metric'), lang: item.text('language') } }),
});

const weather: Resource = {
  displayName: 'Weather',
  operations: {
    currentWeather: asking('/weather', 'Current Weather', 'Returns the present weather at a place'),
    '5DayForecast': asking('/forecast', '5 Day Forecast', 'Returns the weather of the next five days, every three hours'),
  },
};

function placeOf(item: ServiceItem): NonNullable<ApiRequest['query']> {
  switch (item.text('locationSelection', 'cityName')) {
    case 'cityId':
      return { id: item.number('cityId', 0) || item.required('cityId') };
    case 'coordinates':
      return { lat: item.required('latitude'), lon: item.required('longitude') };
    case 'zipCode':
      return { zip: item.required('zipCode') };
    default:
      return { q: item.required('cityName') };
  }
}

/** Requests the weather. */
export const openWeatherMap = defineService({
  displayName: 'OpenWeatherMap',
  name: 'open-weather-map',
  version: 1,
  description: 'Returns the current weather, or a forecast, from OpenWeatherMap',
  credentials: [{ name: 'openWeatherMapApi', required: true }],
  icon: 'fa:sun',
  iconColor: 'orange',
  group: ['input'],
  client,
  resources: { weather },
});
