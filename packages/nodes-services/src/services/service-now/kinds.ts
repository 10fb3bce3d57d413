import { choice, choices, text, toggle, where } from '@sluice/nodes-base/node-tools';
import { objectsOf } from '../../shared/json-values.ts';
import { queryOf, readOptions, recordPath, resultOf, tablePath } from './service-now-client.ts';
import { listOnly, tableResource } from './table-resource.ts';

const loaded = (loadOptionsMethod: string) => ({ typeOptions: { loadOptionsMethod } });
const fieldOf = (name: string, displayName: string) => text(name, displayName, `Field \`${name}\` of the record`);
const title = (name: string): string =>
  name
    .split('_')
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join(' ');

/**
 * https://www.servicenow.com/docs/bundle/zurich-it-service-management/page/product/incident-management/concept/c_IncidentManagement.html
 */
export const incident = tableResource(
  {
    table: 'incident',
    displayName: 'Incident',
    one: 'an incident',
    fields: [
      text('assigned_to', 'Assigned To', '`sys_id` or name of the user', loaded('getUsers')),
      text('assignment_group', 'Assignment Group', '`sys_id` or name of the group', loaded('getAssignmentGroups')),
      text('business_service', 'Business Service', '`sys_id` or name of the service', loaded('getBusinessServices')),
      text('caller_id', 'Caller', '`sys_id` or name of the user', loaded('getUsers')),
      fieldOf('category', 'Category'),
      fieldOf('close_code', 'Resolution Code'),
      fieldOf('close_notes', 'Close Notes'),
      text('cmdb_ci', 'Configuration Item', '`sys_id` or name of the item', loaded('getConfigurationItems')),
      fieldOf('comments', 'Comments'),
      fieldOf('contact_type', 'Contact Type'),
      fieldOf('description', 'Description'),
      text('hold_reason', 'On Hold Reason', 'Number of the reason; only for incidents on hold'),
      text('impact', 'Impact', 'From 1 (high) to 3 (low)'),
      fieldOf('resolution_code', 'Resolution'),
      text('state', 'State', 'Number of the state: 1 is New, 2 In Progress, 3 On Hold, 6 Resolved, 7 Closed, 8 Canceled'),
      fieldOf('subcategory', 'Subcategory'),
      text('urgency', 'Urgency', 'From 1 (high) to 3 (low)'),
      fieldOf('work_notes', 'Work Notes'),
    ],
  },
  [text('short_description', 'Short Description', 'Title of the incident')],
);

const userTable = 'sys_user';
const userTexts = [
  ...['building', 'city', 'company', 'country', 'department', 'email', 'first_name', 'gender', 'home_phone', 'last_name'],
  ...['location', 'manager', 'middle_name', 'mobile_phone', 'phone', 'roles', 'source', 'state', 'street', 'title'],
  ...['user_name', 'zip'],
];

/** Users are also read by their name. */
export const user = tableResource(
  {
    table: userTable,
    displayName: 'User',
    one: 'a user',
    fields: [
      toggle('active', 'Active', 'Whether the user may sign in'),
      ...userTexts.map((name) => fieldOf(name, title(name))),
      toggle('password_needs_reset', 'Password Needs Reset', 'Whether the user must choose a new password'),
      text('user_password', 'Password', 'Password of the user', { typeOptions: { password: true } }),
    ],
  },
  [],
  {
    get: {
      displayName: 'Get',
      description: 'Gets a user',
      properties: [
        choice('getOption', 'Retrieve Identifier', choices(['id', 'ID'], ['user_name', 'Username'])),
        text('id', 'User ID', '`sys_id` of the user', { required: true, ...where({ getOption: ['id'] }) }),
        text('user_name', 'Username', 'Name with which the user signs in', {
          required: true,
          ...where({ getOption: ['user_name'] }),
        }),
        readOptions,
      ],
      async run(item) {
        if (item.text('getOption', 'id') !== 'user_name')
          return resultOf(item, { path: recordPath(userTable, item.id('id')), query: queryOf(item) });
        const name = item.required('user_name').trim();
        // The service reads a value as a part of a condition, and runs the script after
        // `javascript:`.
        if (name.includes('^') || name.toLowerCase().startsWith('javascript:'))
          throw item.error('the user name contains "^" or starts with "javascript:"', 'Check the parameter "Username"');
        const query = { ...queryOf(item), user_name: name, sysparm_limit: 1 };
        const [found] = objectsOf(await resultOf(item, { path: tablePath(userTable), query }));
        if (found) return found;
        throw item.error('the user does not exist', 'Check the user name');
      },
    },
  },
);

export const businessService = listOnly('Business Service', 'cmdb_ci_service');
export const configurationItems = listOnly('Configuration Item', 'cmdb_ci');
export const department = listOnly('Department', 'cmn_department');
export const dictionary = listOnly('Dictionary', 'sys_dictionary', 'entries of the dictionary');
export const userGroup = listOnly('User Group', 'sys_user_group');
export const userRole = listOnly('User Role', 'sys_user_role');
