import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Adds the pages that were read to a goal, once per run of the day.',
  needs: 'a Beeminder account and its personal auth token (Account Settings → Apps & API)',
  notes:
    'A value with a request ID is stored once, even if the workflow repeats it. Without a time, the value counts for the present moment. A deleted value may derail a goal, which costs money.',
  parameters: { goalName: 'reading', value: 12, additionalFields: { requestid: '2026-01-31', comment: 'From Sluice' } },
  inputs: [[{}]],
  outputs: [[{ id: 'd1', value: 12, comment: 'From Sluice', requestid: '2026-01-31' }]],
};
