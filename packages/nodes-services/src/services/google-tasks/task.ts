import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, localTime, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { filledFields } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { pages } from './google-tasks-client.ts';

const list = text('task', 'TaskList Name or ID', 'ID of the list; `@default`: that of the account', {
  required: true,
  typeOptions: { loadOptionsMethod: 'getTasks' },
});
const taskId = text('taskId', 'Task ID', 'ID of the task', { required: true });
const title = text('title', 'Title', 'Title of the task');
const written: readonly NodeProperty[] = [
  text('completed', 'Completion Date', 'Time at which the task was done'),
  toggle('deleted', 'Deleted', 'Whether the task is deleted'),
  text('dueDate', 'Due Date', 'Day by which the task is due; Google keeps no time'),
  text('notes', 'Notes', 'Text of the task'),
  choice('status', 'Status', choices(['needsAction', 'Needs Action'], ['completed', 'Completed'])),
];
const places: readonly NodeProperty[] = [
  text('parent', 'Parent', 'ID of the task that this one is a part of'),
  text('previous', 'Previous', 'ID of the task after which this one is'),
];
const time = (name: string, displayName: string, description: string) => text(name, displayName, description);

const defaultLimit = 20;
const pageSize = 100;

/** https://developers.google.com/workspace/tasks/reference/rest/v1/tasks */
export const task: Resource = {
  displayName: 'Task',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Adds a task to a list',
      properties: [list, title, collection('additionalFields', 'Additional Fields', [...written, ...places])],
      run: async (item) => {
        const { parent, previous } = item.fields('additionalFields');
        const json = { ...filledFields({ title: item.text('title') }), ...(await membersOf(item, 'additionalFields')) };
        return item.send({ path: pathOf(item), query: { parent, previous }, json });
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a task',
      properties: [list, taskId],
      run: (item) => item.perform({ method: 'DELETE', path: onePath(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a task',
      properties: [list, taskId],
      run: (item) => item.send({ path: onePath(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the tasks of a list',
      properties: [
        list,
        ...listPropertiesOf(defaultLimit),
        collection('additionalFields', 'Additional Fields', [
          time('completedMax', 'Completed Max', 'Time until which the tasks were done'),
          time('completedMin', 'Completed Min', 'Time since which the tasks were done'),
          time('dueMax', 'Due Max', 'Time until which the tasks are due'),
          time('dueMin', 'Due Min', 'Time from which the tasks are due'),
          toggle('showCompleted', 'Show Completed', 'Whether to list tasks that are done', { default: true }),
          toggle('showDeleted', 'Show Deleted', 'Whether to list deleted tasks'),
          toggle('showHidden', 'Show Hidden', 'Whether to list tasks that were done in an app of Google'),
          time('updatedMin', 'Updated Min', 'Time since which the tasks have changed'),
        ]),
      ],
      run: async (item) => {
        const limit = item.limit(defaultLimit);
        const query = { ...(await filtersOf(item)), maxResults: Math.min(limit, pageSize) };
        return item.list({ path: pathOf(item), query }, pages, limit);
      },
    },
    update: {
      displayName: 'Update',
      description: 'Changes a task; fields that are not set are kept',
      properties: [list, taskId, collection('updateFields', 'Update Fields', [...written, title])],
      run: async (item) => item.send({ method: 'PATCH', path: onePath(item), json: await membersOf(item, 'updateFields') }),
    },
  },
};

const pathOf = (item: ServiceItem): string => `/lists/${encodeURIComponent(item.id('task'))}/tasks`;
const onePath = (item: ServiceItem): string => `${pathOf(item)}/${encodeURIComponent(item.required('taskId'))}`;

/** Members under their API names, with times in UTC. */
async function membersOf(item: ServiceItem, path: string): Promise<JsonObject> {
  const { parent: _, previous: _previous, dueDate, completed: _completed, ...members } = item.fields(path);
  return {
    ...members,
    ...filledFields({
      due: dueDate === undefined ? undefined : dayOf(item, dueDate),
      completed: await timeIn(item, `${path}.completed`),
    }),
  };
}

const timeIn = async (item: ServiceItem, path: string): Promise<string | undefined> => (await item.time(path))?.toISOString();

/** Google stores the day in UTC, so the day in the workflow's time zone is sent as a UTC day. */
function dayOf(item: ServiceItem, value: JsonValue): string {
  const day = localTime(value, item.context.workflow.timezone)?.date;
  if (day !== undefined) return `${day}T00:00:00.000Z`;
  throw item.error('the due date is not a date', 'Set it to a date such as 2026-01-31');
}

const timeFilters = ['completedMax', 'completedMin', 'dueMax', 'dueMin', 'updatedMin'];

async function filtersOf(item: ServiceItem): Promise<JsonObject> {
  const filters = item.fields('additionalFields');
  for (const name of timeFilters) {
    const at = await timeIn(item, `additionalFields.${name}`);
    if (at !== undefined) filters[name] = at;
  }
  return filters;
}
