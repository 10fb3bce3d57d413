import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'A file `event.ics`, in the field `data` of the files of the item.',
  parameters: {
    title: 'Review',
    start: '2024-05-02T10:00:00',
    end: '2024-05-02T11:00:00',
    additionalFields: { location: 'Room 1' },
  },
  inputs: [[{ anything: true }]],
  outputs: [[{}]],
};
