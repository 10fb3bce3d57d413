import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Returns the current weather in Berlin.',
  needs: 'an OpenWeatherMap account and its API key (openweathermap.org → My API keys)',
  notes:
    'A new key can take up to two hours to work. Free plans allow 60 requests per minute, and the node waits when it reaches the limit.',
  parameters: { cityName: 'berlin,de', language: 'en' },
  inputs: [[{}]],
  outputs: [[{ name: 'Berlin', weather: [{ description: 'light rain' }], main: { temp: 7.5 } }]],
};
