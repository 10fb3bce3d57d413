import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { choice, choiceParameter, choices, collection, names, number, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText, objectOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { listed, namesOf, timeOf } from './hubspot-client.ts';
import { idOf, idProperty, listProperties } from './hubspot-properties.ts';

const engagementId = idProperty('engagementId', 'Engagement ID');
const types = choices(['call', 'Call'], ['email', 'Email'], ['meeting', 'Meeting'], ['note', 'Note'], ['task', 'Task']);
const associationNames = ['companyIds', 'contactIds', 'dealIds', 'ownerIds', 'ticketIds'];

const metadata: readonly NodeProperty[] = [
  text('body', 'Body', 'Text of the engagement'),
  text('subject', 'Subject', 'Subject of the email or the task'),
  text('title', 'Title', 'Title of the meeting'),
  text('internalMeetingNotes', 'Internal Meeting Notes', 'Notes that guests do not see'),
  text('status', 'Status', 'Status of the call or the task, such as `COMPLETED` or `NOT_STARTED`'),
  choice('forObjectType', 'For Object Type', choices(['COMPANY', 'Company'], ['CONTACT', 'Contact']), {
    description: 'What the task is about',
  }),
  text('html', 'HTML', 'Body of the email as HTML'),
  text('fromEmail', 'From Email', 'Address of the sender'),
  text('firstName', 'From First Name', 'First name of the sender'),
  text('lastName', 'From Last Name', 'Last name of the sender'),
  names('toEmail', 'To Emails', 'Addresses of the recipients'),
  names('cc', 'CC', 'Addresses of further recipients'),
  names('bcc', 'BCC', 'Addresses of hidden recipients'),
  text('startTime', 'Start Time', 'Start of the meeting'),
  text('endTime', 'End Time', 'End of the meeting'),
  text('toNumber', 'To Number', 'Number that was called'),
  text('fromNumber', 'From Number', 'Number of the caller'),
  number('durationMilliseconds', 'Duration Milliseconds', 0, 'Duration of the call'),
  text('externalId', 'External ID', 'ID of the call elsewhere'),
  text('externalAccountId', 'External Account ID', 'Account of the call elsewhere'),
  text('recordingUrl', 'Recording URL', 'Address of the recording of the call'),
];

/** https://developers.hubspot.com/docs/api-reference/legacy/engagements-v1 */
export const engagement: Resource = {
  displayName: 'Engagement',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a call, an email, a meeting, a note, or a task',
      properties: [
        choice('type', 'Type', types, { default: '' }),
        collection('metadata', 'Metadata', metadata),
        collection('additionalFields', 'Additional Fields', [
          collection(
            'associations',
            'Associations',
            associationNames.map((name) => names(name, name, 'IDs of objects that it belongs to')),
          ),
          text('ownerId', 'Owner ID', 'ID of the owner'),
          text('timestamp', 'Timestamp', 'Time of the engagement; default: now'),
        ]),
      ],
      run: create,
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes an engagement',
      properties: [engagementId],
      run: (item) => item.perform({ method: 'DELETE', path: `/engagements/v1/engagements/${idOf(item, 'engagementId')}` }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets an engagement',
      properties: [engagementId],
      run: (item) => item.send({ path: `/engagements/v1/engagements/${idOf(item, 'engagementId')}` }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists engagements',
      properties: listProperties,
      run: (item) =>
        listed(
          item,
          { path: '/engagements/v1/engagements/paged' },
          { list: 'results', offsets: { offset: 'offset' }, more: 'hasMore', size: ['limit', 250] },
        ),
    },
  },
};

async function create(item: ServiceItem): Promise<JsonValue | undefined> {
  const type = choiceParameter(
    item.context,
    'type',
    item.index,
    types.map(({ value }) => asText(value)),
    '',
  );
  const { ownerId, timestamp, associations = {} } = item.fields('additionalFields');
  const ids = associationNames.flatMap((name): [string, number[]][] => {
    const objectIds = namesOf(objectOf(associations)[name] ?? []).map(Number);
    return objectIds.length > 0 ? [[name, objectIds]] : [];
  });
  const own: JsonObject = {
    type: type.toUpperCase(),
    ...(ownerId !== undefined && { ownerId }),
    ...(timestamp !== undefined && { timestamp: await timeOf(item, timestamp) }),
  };
  const json = { engagement: own, associations: Object.fromEntries(ids), metadata: await metadataOf(item, type) };
  return item.send({ path: '/engagements/v1/engagements', json });
}

async function metadataOf(item: ServiceItem, type: string): Promise<JsonObject> {
  const {
    fromEmail,
    firstName,
    lastName,
    toEmail = [],
    cc = [],
    bcc = [],
    startTime,
    endTime,
    ...plain
  } = item.fields('metadata');
  const people = (value: JsonValue) => namesOf(value).map((email) => ({ email }));
  const email = type === 'email' && {
    ...(fromEmail !== undefined && {
      from: { email: fromEmail, ...(firstName !== undefined && { firstName }), ...(lastName !== undefined && { lastName }) },
    }),
    to: people(toEmail),
    cc: people(cc),
    bcc: people(bcc),
  };
  const times = {
    ...(startTime !== undefined && { startTime: await timeOf(item, startTime) }),
    ...(endTime !== undefined && { endTime: await timeOf(item, endTime) }),
  };
  return { ...plain, ...email, ...times };
}
