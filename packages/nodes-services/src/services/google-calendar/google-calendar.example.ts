import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Adds an event with a guest, who gets an invitation.',
  needs: 'a Google account with a calendar, connected by OAuth2',
  notes:
    'Enable the Google Calendar API in the Google Cloud console, and add the scopes `calendar` and `calendar.events` to the consent screen. Times without an offset are in the time zone of the workflow. Google allows 600 requests per minute and user, and the node waits when it reaches the limit.',
  parameters: {
    calendar: { __rl: true, mode: 'id', value: 'primary' },
    start: '2026-01-31T10:00:00',
    end: '2026-01-31T11:00:00',
    additionalFields: { summary: 'Lunch', attendees: ['ada@example.com'], sendUpdates: 'all' },
  },
  inputs: [[{}]],
  outputs: [
    [
      {
        id: 'e9',
        start: { dateTime: '2026-01-31T10:00:00.000Z', timeZone: 'UTC' },
        end: { dateTime: '2026-01-31T11:00:00.000Z', timeZone: 'UTC' },
        summary: 'Lunch',
        attendees: [{ email: 'ada@example.com' }],
      },
    ],
  ],
};
