import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Lists the solar flares of a week.',
  needs: 'an API key of NASA (api.nasa.gov), which is free',
  notes:
    'A key allows 1,000 requests per hour; the key `DEMO_KEY` allows 30. Dates are days in the time zone of the workflow. The feed of asteroids covers up to 7 days per request.',
  parameters: { resource: 'donkiSolarFlare', additionalFields: { startDate: '2026-01-01', endDate: '2026-01-07' } },
  inputs: [[{}]],
  outputs: [[{ flrID: '2026-01-02T03:04:00-FLR-001', classType: 'M1.2', sourceLocation: 'N10W20' }]],
};
