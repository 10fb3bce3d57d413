import { type Attacks, manyObjects } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  nasa: () => [
    {
      name: 'many asteroids of a day',
      parameters: { resource: 'asteroidNeoFeed' },
      answer: () => `{"near_earth_objects":{"2026-01-01":${manyObjects(900_000)}}}`,
    },
    {
      name: 'many days',
      parameters: { resource: 'asteroidNeoFeed' },
      answer: () => `{"near_earth_objects":{${Array.from({ length: 200_000 }, (_, day) => `"${day}":[{}]`).join()}}}`,
    },
    {
      name: 'many events',
      parameters: { resource: 'donkiSolarFlare' },
      answer: () => manyObjects(900_000),
    },
  ],
};
