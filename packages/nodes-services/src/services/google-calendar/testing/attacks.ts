import { type Attacks, accepted } from '../../../testing/attack.ts';

export const attacks: Attacks = {
  'google-calendar': () => [
    {
      name: 'many guests',
      parameters: { calendar: 'c', additionalFields: { attendees: Array.from({ length: 200_000 }, () => 'a@x') } },
      answer: accepted,
    },
  ],
  'google-calendar-trigger': () => [
    {
      name: 'many new events',
      parameters: { calendarId: 'c', triggerOn: 'eventCreated', options: { matchTerm: 'x' } },
      cursor: { syncToken: 's', updatedMs: 1, sinceMs: 1, created: [] },
      answer: () => `{"items":[${calendarEvents(100_000)}],"nextSyncToken":"t"}`,
    },
    {
      name: 'many started events',
      parameters: { calendarId: 'c', triggerOn: 'eventStarted', options: {} },
      cursor: { atMs: 1, known: [] },
      answer: () => `{"items":[${calendarEvents(100_000)}]}`,
    },
  ],
};

function calendarEvents(count: number): string {
  const at = new Date().toISOString();
  const event = (id: number) => `{"id":"e${id}","created":"${at}","updated":"${at}","start":{"dateTime":"${at}"}}`;
  return Array.from({ length: count }, (_, id) => event(id)).join();
}
