import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows:
    'Every weekday at half past eight. The item is from a tick on Friday, 20 November 2026; a manual run outputs the current time.',
  needs: 'a tick',
  parameters: {
    rule: { interval: [{ field: 'weeks', triggerAtDay: [1, 2, 3, 4, 5], triggerAtHour: 8, triggerAtMinute: 30 }] },
  },
  outputs: [
    [
      {
        timestamp: '2026-11-20T08:30:00.000+01:00',
        'Readable date': 'November 20th 2026, 8:30:00 am',
        'Readable time': '8:30:00 am',
        'Day of week': 'Friday',
        Year: '2026',
        Month: 'November',
        'Day of month': '20',
        Hour: '08',
        Minute: '30',
        Second: '00',
        Timezone: 'Europe/Berlin (UTC+01:00)',
      },
    ],
  ],
};
