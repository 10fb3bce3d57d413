import type { JsonObject, MethodContext, NodePropertyOption } from '@sluice/node-sdk';
import { choice, choices, where } from '@sluice/nodes-base/node-tools';
import { defineService } from '../../shared/define-service.ts';
import { textOf } from '../../shared/json-values.ts';
import { choicesFrom } from '../../shared/list-choices.ts';
import { sendAll } from '../../shared/paging.ts';
import { attachment } from './attachment.ts';
import { businessService, configurationItems, department, dictionary, incident, user, userGroup, userRole } from './kinds.ts';
import { conditions, pageSize, pagesOf, serviceNowClient, tablePath, uniqueOrder } from './service-now-client.ts';
import { tableRecord } from './table-record.ts';

export const serviceNow = defineService({
  displayName: 'ServiceNow',
  name: 'service-now',
  version: 1,
  description: 'Reads and changes incidents, users, attachments, and records of any table in ServiceNow',
  credentials: [
    { name: 'serviceNowOAuth2Api', required: true, ...where({ authentication: ['oAuth2'] }) },
    { name: 'serviceNowBasicApi', required: true, ...where({ authentication: ['basicAuth'] }) },
  ],
  icon: 'fa:headset',
  iconColor: 'green',
  client: serviceNowClient,
  leading: [choice('authentication', 'Authentication', choices(['oAuth2', 'OAuth2'], ['basicAuth', 'Basic Auth']))],
  resources: {
    user,
    attachment,
    businessService,
    configurationItems,
    department,
    dictionary,
    incident,
    tableRecord,
    userGroup,
    userRole,
  },
  methods: {
    loadOptions: {
      getAssignmentGroups: (context) => namesOf(context, 'sys_user_group'),
      getBusinessServices: (context) => namesOf(context, 'cmdb_ci_service'),
      getColumns,
      getConfigurationItems: (context) => namesOf(context, 'cmdb_ci'),
      getTables: async (context) => choicesFrom(await found(context, 'sys_db_object', ['label', 'name']), 'label', 'name'),
      getUsers: (context) => namesOf(context, 'sys_user'),
    },
  },
});

/** Maximum number of choices in an editor. */
const maxChoices = 5_000;

function found(context: MethodContext, table: string, fields: readonly string[], query = ''): Promise<JsonObject[]> {
  const request = { sysparm_fields: fields.join(), sysparm_query: conditions(query, uniqueOrder), sysparm_limit: pageSize };
  return sendAll(serviceNowClient, context, { path: tablePath(table), query: request }, pagesOf(pageSize), maxChoices);
}

const namesOf = async (context: MethodContext, table: string): Promise<NodePropertyOption[]> =>
  choicesFrom(await found(context, table, ['name', 'sys_id'], 'ORDERBYname'), 'name', 'sys_id');

const tables: ReadonlyMap<string, string> = new Map([
  ['businessService', 'cmdb_ci_service'],
  ['configurationItems', 'cmdb_ci'],
  ['department', 'cmn_department'],
  ['dictionary', 'sys_dictionary'],
  ['incident', 'incident'],
  ['user', 'sys_user'],
  ['userGroup', 'sys_user_group'],
  ['userRole', 'sys_user_role'],
]);

/** Columns of the table; an incident also has those of a task. */
async function getColumns(context: MethodContext): Promise<NodePropertyOption[]> {
  const table = tables.get(context.parameter<string>('resource', 'user')) ?? textOf(context.parameter('tableName', ''));
  if (!/^\w{1,200}$/.test(table)) return [];
  const names = table === 'incident' ? 'incident,task' : table;
  const columns = await found(context, 'sys_dictionary', ['column_label', 'element'], `nameIN${names}^elementISNOTEMPTY`);
  return choicesFrom(columns, 'column_label', 'element');
}
