import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const yes = { const: 'true' };
const instant = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3})?Z$' };
const moment = {
  anyOf: [
    fields({ 'dateTime!': instant, 'timeZone!': text }),
    fields({ 'date!': { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' } }),
  ],
};
/** In a patch, null removes a member of the event. */
const changedMoment = {
  anyOf: [
    fields({ 'dateTime!': instant, 'timeZone!': text, 'date!': { type: 'null' } }),
    fields({
      'date!': { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' },
      'dateTime!': { type: 'null' },
      'timeZone!': { type: 'null' },
    }),
  ],
};
const attendee = { type: 'object', required: ['email'], properties: { email: text } };
const event = {
  summary: text,
  description: text,
  location: text,
  id: { type: 'string', pattern: '^[a-v0-9]{5,}$' },
  colorId: { type: 'string', pattern: '^\\d+$' },
  visibility: { enum: ['default', 'public', 'private', 'confidential'] },
  transparency: { enum: ['opaque', 'transparent'] },
  recurrence: { type: 'array', items: { type: 'string', pattern: '^RRULE:FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY)' } },
  conferenceData: fields({
    'createRequest!': fields({ 'requestId!': text, 'conferenceSolutionKey!': fields({ 'type!': text }) }),
  }),
  guestsCanInviteOthers: flag,
  guestsCanModify: flag,
  guestsCanSeeOtherGuests: flag,
  attendees: { type: 'array', items: attendee },
  reminders: fields({
    'useDefault!': flag,
    overrides: { type: 'array', items: fields({ 'method!': { enum: ['email', 'popup'] }, 'minutes!': { type: 'integer' } }) },
  }),
};
const number = { type: 'string', pattern: '^[1-9]\\d*$' };
const notify = { enum: ['all', 'externalOnly', 'none'] };
const writing = { conferenceDataVersion: { const: '1' }, maxAttendees: number, sendUpdates: notify };

/** https://developers.google.com/workspace/calendar/api/v3/reference, for the token `ya29`. */
export function googleCalendarServer(): Promise<ApiServer> {
  return apiServer({
    baseUrl: 'https://www.googleapis.com',
    headers: { authorization: /^Bearer ya29$/ },
    routes: {
      'GET /calendar/v3/users/me/calendarList': {
        query: fields({ maxResults: number, pageToken: text, fields: text }),
        answer: () => ({
          json: {
            items: [
              { id: 'me@example.com', summary: 'Me' },
              { id: 'team', summary: 'Team' },
            ],
            nextPageToken: 'next',
          },
        }),
      },
      'GET /calendar/v3/users/me/calendarList/:id': {
        answer: () => ({ json: { conferenceProperties: { allowedConferenceSolutionTypes: ['hangoutsMeet'] } } }),
      },
      'GET /calendar/v3/colors': {
        answer: () => ({ json: { event: { 1: { background: '#a4bdfc', foreground: '#1d1d1d' } } } }),
      },
      'POST /calendar/v3/freeBusy': {
        body: fields({
          'timeMin!': instant,
          'timeMax!': instant,
          timeZone: text,
          'items!': { type: 'array', items: fields({ 'id!': text }) },
        }),
        answer: ({ body }) => {
          const { items } = body as { items: { id: string }[] };
          const [{ id }] = items as [{ id: string }];
          const busy = id === 'busy' ? [{ start: '2026-01-31T10:00:00Z', end: '2026-01-31T11:00:00Z' }] : [];
          return { json: { calendars: { [id]: id === 'hidden' ? { errors: [{ reason: 'notFound' }] } : { busy } } } };
        },
      },
      'GET /calendar/v3/calendars/:calendar/events': {
        query: fields({
          'maxResults!': number,
          pageToken: text,
          syncToken: text,
          timeMin: instant,
          timeMax: instant,
          updatedMin: instant,
          fields: text,
          iCalUID: text,
          maxAttendees: number,
          orderBy: { enum: ['startTime', 'updated'] },
          q: text,
          showDeleted: yes,
          showHiddenInvitations: yes,
          singleEvents: yes,
          timeZone: text,
        }),
        answer: ({ query }) =>
          query['pageToken'] === 'next'
            ? { json: { items: [{ id: 'e2' }] } }
            : { json: { items: [{ id: 'e1', recurrence: ['RRULE:FREQ=DAILY'] }], nextPageToken: 'next' } },
      },
      'POST /calendar/v3/calendars/:calendar/events': {
        query: fields(writing),
        body: fields({ ...event, 'start!': moment, 'end!': moment }),
        answer: ({ body }) => ({ json: { id: 'e9', ...(body as object) } }),
      },
      'GET /calendar/v3/calendars/:calendar/events/:id': {
        query: fields({ maxAttendees: number, timeZone: text, fields: text }),
        answer: ({ params }) => ({
          json: {
            id: params['id'],
            recurringEventId: 'e1',
            recurrence: ['RRULE:FREQ=DAILY'],
            attendees: [{ email: 'ada@example.com', responseStatus: 'accepted' }],
          },
        }),
      },
      'GET /calendar/v3/calendars/:calendar/events/:id/instances': {
        query: fields({ 'timeMin!': instant, 'maxResults!': { const: '1' }, maxAttendees: number, timeZone: text }),
        answer: ({ params }) => ({ json: { items: params['id'] === 'ended' ? [] : [{ id: `${params['id']}_20260131` }] } }),
      },
      'PATCH /calendar/v3/calendars/:calendar/events/:id': {
        query: fields(writing),
        body: fields({ ...event, start: changedMoment, end: changedMoment }),
        answer: ({ params, body }) => ({ json: { id: params['id'], ...(body as object) } }),
      },
      'DELETE /calendar/v3/calendars/:calendar/events/:id': {
        query: fields({ sendUpdates: notify }),
        answer: () => ({ status: 204 }),
      },
    },
  });
}
