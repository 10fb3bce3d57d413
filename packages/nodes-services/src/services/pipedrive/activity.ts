import type { JsonObject } from '@sluice/node-sdk';
import { choice, choices, collection, names, namesParameter, text, when } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText, textOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { ownerId } from './contact.ts';
import { chosenFrom } from './pipedrive-options.ts';
import { membersOf, recordOperations } from './records.ts';

const done = choice('done', 'Done', choices(['0', 'Not Done'], ['1', 'Done']));

/** Only activities of some types, or within days: version 2 has no such filters. */
function keepOf(item: ServiceItem): ((record: JsonObject) => boolean) | undefined {
  const { start_date: start, end_date: end } = item.fields('additionalFields');
  const types = namesParameter(item.context, 'additionalFields.type', item.index);
  if (start === undefined && end === undefined && types.length === 0) return undefined;
  const [first, last] = [textOf(start).slice(0, 10), textOf(end).slice(0, 10)];
  return ({ type = '', due_date: due }) => {
    const day = textOf(due);
    const isWithin = (first === '' || day >= first) && (last === '' || (day !== '' && day <= last));
    return isWithin && (types.length === 0 || types.includes(asText(type)));
  };
}

/** https://developers.pipedrive.com/docs/api/v1/Activities */
export const activity: Resource = {
  displayName: 'Activity',
  operations: recordOperations({
    noun: 'activity',
    plural: 'activities',
    required: [
      text('subject', 'Subject', 'Subject of the activity'),
      text('type', 'Type', 'Key of the type, such as `call` or `meeting`', chosenFrom('getActivityTypes')),
    ],
    create: {
      properties: [done],
      membersOf: (item) => ({ done: item.text('done', '0') }),
    },
    fields: [
      text('deal_id', 'Deal ID', 'ID of the deal'),
      done,
      text('due_date', 'Due Date', 'Day on which it is due, such as `2026-01-31`'),
      text('due_time', 'Due Time', 'Time at which it is due in UTC, such as `12:30`'),
      text('duration', 'Duration', 'Hours and minutes, such as `01:00`'),
      text('lead_id', 'Lead ID', 'ID of the lead'),
      text('note', 'Note', 'Note, as HTML'),
      text('org_id', 'Organization ID', 'ID of the organization'),
      text('person_id', 'Person ID', 'ID of the main participant'),
      text('user_id', 'User ID', 'ID of the user who does it', chosenFrom('getUserIds')),
      { ...ownerId, ...when([2]) },
    ],
    filters: [
      collection('additionalFields', 'Additional Fields', [
        text('deal_id', 'Deal ID', 'Only activities of this deal', when([2])),
        done,
        text('end_date', 'End Date', 'Last day; the whole list is read for it'),
        text('filterId', 'Filter ID', 'ID of a filter that the activities match', chosenFrom('getFilters')),
        text('start_date', 'Start Date', 'First day; the whole list is read for it'),
        names('type', 'Type', 'Keys of types; the whole list is read for them'),
        text('user_id', 'User ID', 'Only activities of this user'),
        { ...ownerId, ...when([2]) },
      ]),
    ],
    queryOf(item) {
      const { deal_id: deal, done: isDone, filterId, user_id: user, owner_id: owner = user } = item.fields('additionalFields');
      return {
        ...(deal !== undefined && { deal_id: deal }),
        ...(isDone !== undefined && membersOf({ done: isDone })),
        ...(filterId !== undefined && { filter_id: filterId }),
        ...(owner !== undefined && { owner_id: owner }),
      };
    },
    keepOf,
  }),
};
