import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Turns on a lamp.',
  needs: 'Home Assistant and a long-lived access token (your profile → Security)',
  notes:
    'The API needs the integration `api`, which is part of the default configuration. With `SSRF_PROTECTION`, an address in the local network has to be allowed.',
  parameters: {
    resource: 'service',
    operation: 'call',
    domain: 'light',
    service: 'turn_on',
    serviceAttributes: { attributes: [{ name: 'entity_id', value: 'light.kitchen' }] },
  },
  inputs: [[{}]],
  outputs: [[{ entity_id: 'light.kitchen', state: 'on' }]],
};
