import type { NodeProperty } from '@sluice/node-sdk';
import { list, names, text, toggle } from '@sluice/nodes-base/node-tools';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

export const issueKey = text('issueKey', 'Issue Key', 'Key of the issue, such as `APP-5`', { required: true });

/** Path of an issue in version 2 of the API. */
export function issuePath(item: ServiceItem, more = '', version = 2): string {
  return `/${version}/issue/${encodeURIComponent(item.id('issueKey'))}${more}`;
}

export const listProperties = listPropertiesOf();

const located = (name: string, displayName: string, method: string, description: string): NodeProperty =>
  text(name, displayName, description, { typeOptions: { searchListMethod: method } });

export const project = {
  ...located('project', 'Project', 'getProjects', 'The project: from the list, by ID, or by key'),
  required: true,
};
export const issueType = located('issueType', 'Issue Type', 'getIssueTypes', 'The type: from the list, by ID, or by name');
export const summary = text('summary', 'Summary', 'Title of the issue');

/** Fields that may be set when an issue is created or changed. */
export const fieldProperties: readonly NodeProperty[] = [
  located('assignee', 'Assignee', 'getUsers', 'The user: from the list, or by account ID; on a server by name'),
  names('componentIds', 'Components', 'IDs of components'),
  list('customFieldsUi', 'Custom Fields', 'customFieldsValues', [
    located('fieldId', 'Field', 'getCustomFields', 'The field: from the list, or by ID such as `customfield_10010`'),
    text('fieldValue', 'Value', 'Value of the field; JSON for options, such as `{"value":"High"}`', { acceptsList: true }),
  ]),
  text('description', 'Description', 'Text of the issue', { typeOptions: { rows: 5 } }),
  names('labels', 'Labels', 'Labels of the issue'),
  names('serverLabels', 'Labels (Server)', 'Labels of an issue on a server'),
  text('parentIssueKey', 'Parent Issue Key', 'Key of the issue above'),
  located('priority', 'Priority', 'getPriorities', 'The priority: from the list, by ID, or by name'),
  located('reporter', 'Reporter', 'getUsers', 'The user: from the list, or by account ID; on a server by name'),
];

export const statusId = located(
  'statusId',
  'Status',
  'getTransitions',
  'The transition to the new status: from the list, or by ID',
);

export const updateHistory = toggle(
  'updateHistory',
  'Update History',
  'Whether the project counts as recently viewed by the account',
);
