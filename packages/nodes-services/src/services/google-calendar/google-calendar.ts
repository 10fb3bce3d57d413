import { defineService } from '../../shared/define-service.ts';
import { calendar } from './calendar.ts';
import { event } from './event.ts';
import { calendarClient, calendarMethods } from './google-calendar-client.ts';
import { beforeTopTimes, withTopTimes } from './google-calendar-properties.ts';

export const googleCalendar = defineService({
  displayName: 'Google Calendar',
  name: 'google-calendar',
  version: [...beforeTopTimes, ...withTopTimes],
  defaultVersion: 1.3,
  description: 'Reads and writes events in Google Calendar',
  credentials: [{ name: 'googleCalendarOAuth2Api', required: true }],
  icon: 'fa:calendar',
  iconColor: 'blue',
  client: calendarClient,
  resources: { calendar, event },
  initial: 'event',
  methods: calendarMethods,
});
