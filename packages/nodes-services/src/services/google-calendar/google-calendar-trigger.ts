import { type JsonObject, type NodeType, type PollContext, pollTimesProperty } from '@sluice/node-sdk';
import { choice, choiceParameter, choices, options, text } from '@sluice/nodes-base/node-tools';
import { objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { ServiceNode } from '../../shared/service-item.ts';
import { calendarChanges } from './calendar-changes.ts';
import { dueEvents } from './due-events.ts';
import { calendarClient, calendarMethods, calendarOf, eventsPath } from './google-calendar-client.ts';

const events = ['eventCancelled', 'eventCreated', 'eventEnded', 'eventStarted', 'eventUpdated'] as const;

/** Starts with events that changed, started, or ended since the last poll. */
export const googleCalendarTrigger: NodeType = {
  methods: calendarMethods,
  description: {
    displayName: 'Google Calendar Trigger',
    name: 'google-calendar-trigger',
    group: ['trigger'],
    version: 1,
    description:
      'Starts the workflow when events of a calendar are created, changed, or canceled, or when they start or end, with one item per event. Events of the first poll count as known. A manual run outputs the event that changed last',
    defaults: { name: 'Google Calendar Trigger' },
    inputs: [],
    outputs: ['main'],
    polling: true,
    icon: 'fa:calendar',
    iconColor: 'blue',
    credentials: [{ name: 'googleCalendarOAuth2Api', required: true }],
    properties: [
      pollTimesProperty,
      text('calendarId', 'Calendar', 'The calendar: from the list, or by ID, such as `primary`', {
        required: true,
        typeOptions: { searchListMethod: 'getCalendars' },
      }),
      choice(
        'triggerOn',
        'Trigger On',
        choices(
          ['eventCancelled', 'Event Cancelled', 'Google may report only the ID'],
          ['eventCreated', 'Event Created'],
          ['eventEnded', 'Event Ended'],
          ['eventStarted', 'Event Started'],
          ['eventUpdated', 'Event Updated'],
        ),
        { default: 'eventCreated', required: true },
      ),
      options([text('matchTerm', 'Match Term', 'Text in the summary, description, location, or guests of the event')]),
    ],
  },
  async poll(context) {
    const node = new ServiceNode(context, 0, calendarClient);
    const calendarEvents = context.mode === 'manual' ? await latest(node) : await fresh(node);
    const term = node.text('options.matchTerm').toLowerCase();
    const matching = calendarEvents.filter((event) => term === '' || hasText(event, term));
    return matching.length > 0 ? matching.map((json) => ({ json })) : null;
  },
};

async function fresh(node: ServiceNode<PollContext>): Promise<JsonObject[]> {
  const wanted = choiceParameter(node.context, 'triggerOn', 0, events, 'eventCreated');
  if (wanted === 'eventStarted') return dueEvents(node, 'start');
  if (wanted === 'eventEnded') return dueEvents(node, 'end');
  return calendarChanges(node, wanted);
}

/** The event that changed last, within the last 27 days. */
async function latest(node: ServiceNode): Promise<JsonObject[]> {
  const updatedMin = new Date(Date.now() - 27 * 24 * 3_600_000).toISOString();
  const query = { orderBy: 'updated', updatedMin, maxResults: '2500' };
  const body = objectOf(await node.send({ path: eventsPath(calendarOf(node, 'calendarId')), query }));
  return objectsOf(body['items'])
    .filter(({ status }) => status !== 'cancelled')
    .slice(-1);
}

/** A sync token cannot be combined with a search, so the text is searched here. */
function hasText({ summary, description, location, attendees }: JsonObject, term: string): boolean {
  const guests = objectsOf(attendees).flatMap(({ email, displayName }) => [email, displayName]);
  return [summary, description, location, ...guests].some((text) => textOf(text).toLowerCase().includes(term));
}
