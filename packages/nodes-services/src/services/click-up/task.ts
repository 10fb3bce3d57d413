import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import {
  between,
  choice,
  choices,
  collection,
  names,
  namesParameter,
  number,
  text,
  toggle,
} from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { objectOf } from '../../shared/json-values.ts';
import type { Paging } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { listProperties, membersOf, pathOf, place, timeOf } from './click-up-client.ts';

const id = text('id', 'Task ID', 'ID of the task', { required: true });
const written: readonly NodeProperty[] = [
  text('content', 'Content', 'Text of the task'),
  toggle('isMarkdownContent', 'Is Markdown Content', 'Whether the text is Markdown'),
  text('dueDate', 'Due Date', 'When the task is due'),
  toggle('dueDateTime', 'Due Date Time', 'Whether the due date has a time'),
  toggle('notifyAll', 'Notify All', 'Whether everyone who watches is notified'),
  text('parentId', 'Parent ID', 'ID of the task above'),
  between(1, 4, number('priority', 'Priority', 3, '1 (urgent) to 4 (low)')),
  text('startDate', 'Start Date', 'When the task starts'),
  toggle('startDateTime', 'Start Date Time', 'Whether the start date has a time'),
  text('status', 'Status', 'Name of the status'),
  number('timeEstimate', 'Time Estimate', 0, 'Estimate in milliseconds'),
];

export const task: Resource = {
  displayName: 'Task',
  initial: 'create',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a task',
      properties: [
        ...place,
        text('name', 'Name', 'Name of the task', { required: true }),
        collection('additionalFields', 'Additional Fields', [
          names('assignees', 'Assignees', 'IDs of users'),
          ...written,
          {
            displayName: 'Custom Fields JSON',
            name: 'customFieldsJson',
            type: 'json',
            default: '',
            description: 'List of `{ "id", "value" }`',
          },
          names('tags', 'Tags', 'Names of tags'),
        ]),
      ],
      run: (item) => item.send({ path: pathOf(item, 'list', 'list', '/task'), json: newTask(item) }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a task',
      properties: [id],
      run: (item) => item.perform({ method: 'DELETE', path: pathOf(item, 'task', 'id') }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a task',
      properties: [
        id,
        toggle('includeSubtasks', 'Include Subtasks', 'Whether to return the tasks below, too'),
        toggle('includeMarkdownDescription', 'Include Markdown Description', 'Whether to return the text as Markdown, too'),
      ],
      run: (item) => {
        const query = {
          ...(item.toggle('includeSubtasks') && { include_subtasks: true }),
          ...(item.toggle('includeMarkdownDescription') && { include_markdown_description: true }),
        };
        return item.send({ path: pathOf(item, 'task', 'id'), query });
      },
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the tasks of a list',
      properties: [
        ...place,
        ...listProperties,
        collection('filters', 'Filters', [
          toggle('archived', 'Archived', 'Whether to return archived tasks'),
          names('assignees', 'Assignees', 'IDs of users'),
          ...['dateCreated', 'dateUpdated', 'dueDate'].flatMap((name) => [
            text(`${name}Gt`, `${name} After`, 'Only tasks after this time'),
            text(`${name}Lt`, `${name} Before`, 'Only tasks before this time'),
          ]),
          toggle('includeClosed', 'Include Closed', 'Whether to return closed tasks, too'),
          choice(
            'orderBy',
            'Order By',
            choices(['id', 'ID'], ['created', 'Created'], ['updated', 'Updated'], ['dueDate', 'Due Date']),
          ),
          names('statuses', 'Statuses', 'Names of statuses'),
          toggle('subtasks', 'Subtasks', 'Whether to return subtasks, too'),
          names('tags', 'Tags', 'Names of tags'),
        ]),
      ],
      run: (item) => item.list({ path: pathOf(item, 'list', 'list', '/task'), query: queryOf(item) }, tasks),
    },
    setCustomField: {
      displayName: 'Set Custom Field',
      description: 'Sets a custom field of a task',
      properties: [
        ...place.map((property) => ({ ...property, required: false })),
        text('task', 'Task ID', 'ID of the task', { required: true }),
        text('field', 'Field ID', 'ID of the custom field', { required: true }),
        toggle('jsonParse', 'JSON Parse', 'Whether the value is JSON'),
        text('value', 'Value', 'Value of the field', { required: true, acceptsList: true }),
      ],
      async run(item) {
        const path = pathOf(item, 'task', 'task', `/field/${encodeURIComponent(item.id('field'))}`);
        const value = item.toggle('jsonParse')
          ? (item.json('value') ?? null)
          : item.context.parameter<JsonValue>('value', item.index, '');
        return item.perform({ path, json: { value } });
      },
    },
    update: {
      displayName: 'Update',
      description: 'Changes a task',
      properties: [
        id,
        collection('updateFields', 'Update Fields', [
          names('addAssignee', 'Add Assignees', 'IDs of users to add'),
          text('name', 'Name', 'Name of the task'),
          names('removeAssignee', 'Remove Assignees', 'IDs of users to remove'),
          ...written,
        ]),
      ],
      run: (item) => item.send({ method: 'PUT', path: pathOf(item, 'task', 'id'), json: changes(item) }),
    },
  },
};

const tasks: Paging = {
  list: 'tasks',
  next: ({ body }, count, page) => {
    const { last_page: isLast } = objectOf(body);
    return isLast === false && count > 0 ? { query: { page } } : undefined;
  },
};

const idsOf = (item: ServiceItem, path: string) => namesParameter(item.context, path, item.index).map(Number);

function newTask(item: ServiceItem): JsonObject {
  const { assignees: _, tags: __, ...fields } = item.fields('additionalFields');
  const [assignees, tags] = [
    idsOf(item, 'additionalFields.assignees'),
    namesParameter(item.context, 'additionalFields.tags', item.index),
  ];
  const custom = item.json('additionalFields.customFieldsJson');
  return {
    name: item.required('name'),
    ...membersOf(item, fields),
    ...(assignees.length > 0 && { assignees }),
    ...(tags.length > 0 && { tags }),
    ...(custom !== undefined && { custom_fields: custom }),
  };
}

function changes(item: ServiceItem): JsonObject {
  const { addAssignee: _, removeAssignee: __, ...fields } = item.fields('updateFields');
  const [add, rem] = [idsOf(item, 'updateFields.addAssignee'), idsOf(item, 'updateFields.removeAssignee')];
  const assignees = { ...(add.length > 0 && { add }), ...(rem.length > 0 && { rem }) };
  return { ...membersOf(item, fields), ...(Object.keys(assignees).length > 0 && { assignees }) };
}

/** Filter name → API name. */
const lists = { assignees: 'assignees[]', statuses: 'statuses[]', tags: 'tags[]' } as const;
const times = { dateCreated: 'date_created', dateUpdated: 'date_updated', dueDate: 'due_date' } as const;

function queryOf(item: ServiceItem): JsonObject {
  const { archived, includeClosed, orderBy, subtasks, ...filters } = item.fields('filters');
  const several = Object.entries(lists).map(
    ([name, to]) => [to, namesParameter(item.context, `filters.${name}`, item.index)] as const,
  );
  const dated = Object.entries(times).flatMap(([name, to]) =>
    (['Gt', 'Lt'] as const).flatMap((end): [string, JsonValue][] => {
      const value = filters[`${name}${end}`];
      return value === undefined ? [] : [[`${to}_${end.toLowerCase()}`, timeOf(item, value)]];
    }),
  );
  return {
    page: 0,
    ...(archived !== undefined && { archived }),
    ...(includeClosed !== undefined && { include_closed: includeClosed }),
    ...(orderBy !== undefined && { order_by: orderBy === 'dueDate' ? 'due_date' : orderBy }),
    ...(subtasks !== undefined && { subtasks }),
    ...Object.fromEntries(several.filter(([, values]) => values.length > 0)),
    ...Object.fromEntries(dated),
  };
}
