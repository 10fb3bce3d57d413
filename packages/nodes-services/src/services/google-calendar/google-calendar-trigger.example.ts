import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts the workflow for each new event of a calendar.',
  needs: 'a Google account with access to the calendar, connected by OAuth2',
  notes:
    'Enable the Google Calendar API in the Google Cloud console. Created, changed, and canceled events are derived from the changes of the calendar, which contain each event once. A recurring event is one event there; an instance that differs is a change of it. Started and ended events are found by their times, including events added up to ten minutes later.',
  parameters: {
    pollTimes: { item: [{ mode: 'everyMinute' }] },
    calendarId: { __rl: true, mode: 'id', value: 'primary' },
    triggerOn: 'eventCreated',
    options: { matchTerm: 'lunch' },
  },
  outputs: [
    [
      {
        id: 'e2',
        status: 'confirmed',
        summary: 'Lunch',
        created: '2026-01-02T00:00:00.000Z',
        updated: '2026-01-02T00:00:00.000Z',
      },
    ],
  ],
};
