import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'The item of an activation.',
  needs: 'an activation',
  parameters: { events: ['activate'] },
  outputs: [[{ event: 'activate', timestamp: '2026-11-20T08:30:00.000+01:00', workflow_id: 'a-workflow' }]],
};
