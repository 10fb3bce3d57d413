import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'Each Monday at half past eight, and on the first of each month at noon.',
  parameters: {
    triggerTimes: {
      item: [
        { mode: 'everyWeek', weekday: '1', hour: 8, minute: 30 },
        { mode: 'everyMonth', dayOfMonth: 1, hour: 12 },
      ],
    },
  },
  outputs: [[{}]],
};
