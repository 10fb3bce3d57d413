import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '@sluice/node-sdk';
import { choice, choices, collection, list, names, options, text, toggle, where } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText, commaSeparated, locatedValue, objectOf, objectsOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { issueFields, named } from './issue-fields.ts';
import { isCloud, listed, searchIssues } from './jira-client.ts';
import {
  fieldProperties,
  issueKey,
  issuePath,
  issueType,
  listProperties,
  project,
  statusId,
  summary,
  updateHistory,
} from './jira-properties.ts';

const expand = text('expand', 'Expand', 'Further data, separated by commas, such as `changelog,renderedFields`');
const fields = text('fields', 'Fields', 'Fields to return, separated by commas; `*all` for all', { default: '*navigable' });
const fieldsByKey = toggle('fieldsByKey', 'Fields by Key', 'Whether fields are named by their keys instead of their IDs');

export const issue: Resource = {
  displayName: 'Issue',
  initial: 'create',
  operations: {
    changelog: {
      displayName: 'Changelog',
      description: 'Lists the changes of an issue',
      properties: [issueKey, ...listProperties],
      run: (item) => changesOf(item),
    },
    create: {
      displayName: 'Create',
      description: 'Creates an issue',
      properties: [
        project,
        { ...issueType, required: true },
        { ...summary, required: true },
        collection('additionalFields', 'Additional Fields', [...fieldProperties, updateHistory]),
      ],
      run: (item) => {
        const chosen = { project: named(item.id('project'), 'key'), issuetype: named(item.id('issueType'), 'name') };
        const query = { updateHistory: item.toggle('additionalFields.updateHistory') ? 'true' : undefined };
        const own = { ...chosen, summary: item.required('summary'), ...issueFields(item, 'additionalFields') };
        return item.send({ path: '/2/issue', query, json: { fields: own } });
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes an issue',
      properties: [issueKey, toggle('deleteSubtasks', 'Delete Subtasks', 'Whether to delete its subtasks, too')],
      async run(item) {
        const query = { deleteSubtasks: asText(item.toggle('deleteSubtasks')) };
        return item.perform({ method: 'DELETE', path: issuePath(item), query });
      },
    },
    get: {
      displayName: 'Get',
      description: 'Gets an issue',
      properties: [
        issueKey,
        toggle('simplifyOutput', 'Simplify', 'Whether fields have their names instead of their IDs'),
        collection('additionalFields', 'Additional Fields', [
          expand,
          { ...fields, default: '*all' },
          fieldsByKey,
          text('properties', 'Properties', 'Properties of the issue to return, separated by commas'),
          updateHistory,
        ]),
      ],
      run: read,
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Finds issues by a query, or lists all, latest first',
      properties: [
        ...listProperties,
        options([expand, fields, fieldsByKey, text('jql', 'JQL', 'A query, such as `project = APP and status = Open`')]),
      ],
      run: (item) => {
        const { fields: wanted = '*navigable', expand: more, jql = '', fieldsByKey: byKey } = item.fields('options');
        const fieldNames = commaSeparated(wanted).map((name) => name.trim());
        const expanded = isCloud(item.access) ? more : more && commaSeparated(more);
        return searchIssues(item, {
          jql,
          fields: fieldNames,
          ...(expanded !== undefined && { expand: expanded }),
          ...(byKey !== undefined && { fieldsByKeys: byKey }),
        });
      },
    },
    notify: {
      displayName: 'Notify',
      description: 'Sends an email about an issue',
      properties: [
        issueKey,
        toggle('jsonParameters', 'JSON Parameters', 'Whether recipients are given as JSON'),
        collection('additionalFields', 'Additional Fields', [
          text('subject', 'Subject', 'Subject of the email'),
          text('textBody', 'Text Body', 'Body as text'),
          text('htmlBody', 'HTML Body', 'Body as HTML'),
        ]),
        list(
          'notificationRecipientsUi',
          'Notification Recipients',
          'notificationRecipientsValues',
          [
            toggle('reporter', 'Reporter', 'Whether the reporter gets it'),
            toggle('assignee', 'Assignee', 'Whether the assignee gets it'),
            toggle('watchers', 'Watchers', 'Whether the watchers get it'),
            toggle('voters', 'Voters', 'Whether the voters get it'),
            names('users', 'Users', 'Account IDs of users'),
            names('groups', 'Groups', 'Names of groups'),
          ],
          where({ jsonParameters: [false] }),
        ),
        {
          displayName: 'Notification Recipients (JSON)',
          name: 'notificationRecipientsJson',
          type: 'json',
          default: '',
          description: 'Recipients as the API defines them',
          ...where({ jsonParameters: [true] }),
        },
      ],
      async run(item) {
        const json = { ...item.fields('additionalFields'), to: recipientsOf(item) };
        return item.perform({ path: issuePath(item, '/notify'), json });
      },
    },
    transitions: {
      displayName: 'Status',
      description: 'Lists the transitions that the issue can make now',
      properties: [
        issueKey,
        collection('additionalFields', 'Additional Fields', [
          expand,
          text('transitionId', 'Transition ID', 'Only this transition'),
          choice('skipRemoteOnlyCondition', 'Skip Remote Only Condition', choices(['false', 'No'], ['true', 'Yes'])),
        ]),
      ],
      async run(item) {
        const response = await item.send({ path: issuePath(item, '/transitions'), query: item.fields('additionalFields') });
        return objectsOf(objectOf(response)['transitions']);
      },
    },
    update: {
      displayName: 'Update',
      description: 'Changes an issue',
      properties: [issueKey, collection('updateFields', 'Update Fields', [...fieldProperties, issueType, statusId, summary])],
      run: update,
    },
  },
};

async function read(item: ServiceItem): Promise<JsonValue | undefined> {
  const { expand: more, ...query } = item.fields('additionalFields');
  const isShort = item.toggle('simplifyOutput');
  const expanded = [more, isShort && 'names'].filter(Boolean).join();
  const response = await item.send({ path: issuePath(item), query: { ...query, expand: expanded } });
  if (!isShort || !isJsonObject(response)) return response;
  const { id = null, key = null, self = null, fields: values, names: titles } = response;
  const renamed = Object.entries(objectOf(values)).map(([name, value]) => [
    asText(ownProperty(objectOf(titles), name) ?? name),
    value,
  ]);
  return { id, key, self, fields: Object.fromEntries(renamed) };
}

async function update(item: ServiceItem): Promise<JsonValue> {
  const changed = issueFields(item, 'updateFields');
  const { statusId: chosen = '' } = item.fields('updateFields');
  const transition = locatedValue(chosen) ?? '';
  if (Object.keys(changed).length > 0) await item.send({ method: 'PUT', path: issuePath(item), json: { fields: changed } });
  if (transition !== '')
    await item.send({ path: issuePath(item, '/transitions'), json: { transition: { id: asText(transition) } } });
  return { success: true };
}

/** On a server, changes are in the issue; in Jira Cloud, in a separate list. */
async function changesOf(item: ServiceItem): Promise<JsonObject[]> {
  if (isCloud(item.access)) return listed(item, { path: issuePath(item, '/changelog') }, 'values');
  const response = await item.send({ path: issuePath(item), query: { expand: 'changelog', fields: 'id' } });
  return objectsOf(objectOf(objectOf(response)['changelog'])['histories']).slice(0, item.limit());
}

function recipientsOf(item: ServiceItem): JsonValue {
  if (item.toggle('jsonParameters')) return item.json('notificationRecipientsJson') ?? {};
  const [recipients = {}] = item.entries('notificationRecipientsUi.notificationRecipientsValues');
  const { users, groups, ...flags } = recipients;
  const list = (value: JsonValue | undefined) => [value ?? []].flat().filter((one) => one !== '');
  return {
    ...flags,
    ...(list(users).length > 0 && { users: list(users).map((accountId) => ({ accountId })) }),
    ...(list(groups).length > 0 && { groups: list(groups).map((name) => ({ name })) }),
  };
}
