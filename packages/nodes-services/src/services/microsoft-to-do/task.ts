import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { choice, choices, collection, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import { graphTime } from '../../shared/microsoft-graph.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { operationsOn, taskId, taskListId, tasksPath } from './to-do-client.ts';

const title = text('title', 'Title', 'Title of the task');
const members = [
  text('content', 'Content', 'Notes of the task, as HTML'),
  text('dueDateTime', 'Due', 'Day on which the task is due', { type: 'dateTime' }),
  choice('importance', 'Importance', choices(['low', 'Low'], ['normal', 'Normal'], ['high', 'High']), { default: 'normal' }),
  text('reminderDateTime', 'Reminder', 'Time of a reminder', { type: 'dateTime' }),
  choice(
    'status',
    'Status',
    choices(
      ['notStarted', 'Not Started'],
      ['inProgress', 'In Progress'],
      ['completed', 'Completed'],
      ['waitingOnOthers', 'Waiting on Others'],
      ['deferred', 'Deferred'],
    ),
  ),
];

/** https://learn.microsoft.com/graph/api/resources/todotask */
export const task: Resource = {
  displayName: 'Task',
  initial: 'getAll',
  operations: operationsOn({
    one: 'a task',
    many: 'the tasks of a list',
    parents: [taskListId],
    id: taskId,
    pathOf: tasksPath,
    create: {
      properties: [{ ...title, required: true }, collection('additionalFields', 'Additional Fields', members)],
      bodyOf: (item) => ({ title: item.required('title'), ...membersOf(item, 'additionalFields') }),
    },
    update: {
      properties: [collection('updateFields', 'Update Fields', [...members, title])],
      bodyOf: (item) => membersOf(item, 'updateFields'),
    },
  }),
};

function membersOf(item: ServiceItem, path: string): JsonObject {
  const { content, dueDateTime: due, reminderDateTime: reminder, ...rest } = item.fields(path);
  const timeOf = (value: JsonValue) => graphTime(item, asText(value), item.context.workflow.timezone);
  return {
    ...rest,
    ...(content !== undefined && { body: { contentType: 'html', content } }),
    ...(due !== undefined && { dueDateTime: timeOf(due) }),
    ...(reminder !== undefined && { reminderDateTime: timeOf(reminder), isReminderOn: true }),
  };
}
