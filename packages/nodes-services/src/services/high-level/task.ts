import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { collection, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { onePage } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { contactId, contactIdOf, encoded, id, listProperties, sendFor, timeMember } from './high-level-client.ts';

const title = text('title', 'Title', 'Title of the task');
const dueDate = text('dueDate', 'Due Date', 'Time at which the task is due', { type: 'dateTime' });
const completed = toggle('completed', 'Completed', 'Whether the task is done');
const more: readonly NodeProperty[] = [
  text('assignedTo', 'Assigned To', 'ID of the user', { typeOptions: { loadOptionsMethod: 'getUsers' } }),
  text('body', 'Body', 'Text of the task'),
];
const changed = [title, dueDate, completed, ...more];
const taskId = id('taskId', 'Task ID', 'ID of the task');

/** https://marketplace.gohighlevel.com/docs/ghl/contacts/tasks */
export const task: Resource = {
  displayName: 'Task',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a task for a contact',
      properties: [
        contactId,
        { ...title, required: true },
        { ...dueDate, required: true },
        completed,
        collection('additionalFields', 'Additional Fields', more),
      ],
      async run(item) {
        const due = await timeMember(item, 'dueDate', item.required('dueDate'));
        const own = { title: item.required('title'), completed: item.toggle('completed'), ...due };
        const json = { ...own, ...item.typedFields('additionalFields', more) };
        return sendFor(item, { path: await pathOf(item), json }, 'task');
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a task',
      properties: [contactId, taskId],
      run: async (item) => item.perform({ method: 'DELETE', path: await taskPath(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a task',
      properties: [contactId, taskId],
      run: async (item) => sendFor(item, { path: await taskPath(item) }, 'task'),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the tasks of a contact',
      properties: [contactId, ...listProperties],
      run: async (item) => item.list({ path: await pathOf(item) }, onePage('tasks')),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a task; fields that are not set are kept',
      properties: [contactId, taskId, collection('updateFields', 'Update Fields', changed)],
      run: async (item) => sendFor(item, { method: 'PUT', path: await taskPath(item), json: await changesOf(item) }, 'task'),
    },
  },
};

async function changesOf(item: ServiceItem): Promise<JsonObject> {
  const { dueDate: due, ...fields } = item.typedFields('updateFields', changed);
  return { ...fields, ...(await timeMember(item, 'dueDate', due)) };
}

const pathOf = async (item: ServiceItem): Promise<string> => `/contacts/${encodeURIComponent(await contactIdOf(item))}/tasks`;
const taskPath = async (item: ServiceItem): Promise<string> => `${await pathOf(item)}/${encoded(item, 'taskId')}`;
