import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Alerts the people on duty about a machine.',
  needs: 'a SIGNL4 team and its secret, the last part of its webhook address or of its email address',
  notes:
    'Set an external ID to resolve the alert later. Everyone who knows the secret of the team can alert it. Each alert counts toward the plan of the team.',
  parameters: { message: 'The pump is too hot.', additionalFields: { title: 'Pump 7', externalId: 'pump-7' } },
  inputs: [[{}]],
  outputs: [[{ eventId: 'e1' }]],
};
