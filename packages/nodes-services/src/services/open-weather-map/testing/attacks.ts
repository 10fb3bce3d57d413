import { type Attacks, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'open-weather-map': () => [
    {
      name: 'a long forecast',
      parameters: { operation: '5DayForecast', cityName: 'x' },
      answer: () => `{"list":${manyObjects(1_000_000)}}`,
    },
  ],
};
