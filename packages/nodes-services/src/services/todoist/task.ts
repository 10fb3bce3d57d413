import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { between, collection, names, namesParameter, number, text, toggle, when } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { filledFields } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { locatedVersions, pageSize, pages } from './todoist-client.ts';

const taskId = text('taskId', 'Task ID', 'ID of the task', { required: true });
const byList = { typeOptions: { searchListMethod: 'searchProjects' } };
const project: readonly NodeProperty[] = [
  text('project', 'Project Name or ID', 'ID of the project', {
    required: true,
    ...when([1]),
    typeOptions: { loadOptionsMethod: 'getProjects' },
  }),
  text('project', 'Project', 'The project: from the list, or by ID', { required: true, ...when(locatedVersions), ...byList }),
];
const labels: NodeProperty = {
  displayName: 'Label Names',
  name: 'labels',
  type: 'multiOptions',
  default: [],
  typeOptions: { loadOptionsMethod: 'getLabels' },
  description: 'Names of labels',
};
const section = text('section', 'Section Name or ID', 'ID of the section', {
  typeOptions: { loadOptionsMethod: 'getSections', loadOptionsDependsOn: ['project', 'project.value'] },
});
const written: readonly NodeProperty[] = [
  text('description', 'Description', 'Description of the task'),
  text('dueDateTime', 'Due Date Time', 'Time at which the task is due'),
  text('dueString', 'Due String', 'When the task is due, such as `every Monday at 9`'),
  text('dueLang', 'Due String Locale', 'Language of the due string, such as `de`; default: English'),
  number('order', 'Order', 0, 'Position among the tasks of its parent'),
  between(1, 4, number('priority', 'Priority', 1, '1 (normal) to 4 (urgent)')),
];
const defaultLimit = 50;

/** https://developer.todoist.com/api/v1/#tag/Tasks */
export const task: Resource = {
  displayName: 'Task',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a task',
      properties: [
        ...project,
        labels,
        text('content', 'Content', 'Name of the task', { required: true }),
        collection('options', 'Options', [...written, text('parentId', 'Parent ID', 'ID of the task above'), section]),
      ],
      run: async (item) => item.send({ path: '/tasks', json: await newTask(item) }),
    },
    close: {
      displayName: 'Close',
      description: 'Completes a task; a recurring task moves to its next date',
      properties: [taskId],
      run: (item) => item.perform({ method: 'POST', path: pathOf(item, '/close') }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a task and the tasks below it',
      properties: [taskId],
      run: (item) => item.perform({ method: 'DELETE', path: pathOf(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a task',
      properties: [taskId],
      run: (item) => item.send({ path: pathOf(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Gets tasks that are not completed',
      properties: [
        ...listPropertiesOf(defaultLimit),
        collection('filters', 'Filters', [
          text('filter', 'Filter', 'Filter of Todoist, such as `today | overdue`; other filters then have no effect'),
          names('ids', 'IDs', 'IDs of tasks'),
          text('labelId', 'Label Name', 'Name of a label', { typeOptions: { loadOptionsMethod: 'getLabels' } }),
          text('lang', 'Lang', 'Language of the filter, such as `de`; default: English'),
          text('parentId', 'Parent Task ID', 'ID of the task above'),
          text('projectId', 'Project Name or ID', 'ID of a project', { typeOptions: { loadOptionsMethod: 'getProjects' } }),
          text('sectionId', 'Section Name or ID', 'ID of a section', { typeOptions: { loadOptionsMethod: 'getSections' } }),
        ]),
      ],
      run: (item) => {
        const { filter, lang, labelId, parentId, projectId, sectionId } = item.fields('filters');
        const ids = namesParameter(item.context, 'filters.ids', item.index).join();
        const limit = item.limit(defaultLimit);
        const size = Math.min(limit, pageSize);
        if (filter !== undefined)
          return item.list({ path: '/tasks/filter', query: { query: filter, lang, limit: size } }, pages, limit);
        const query = { project_id: projectId, section_id: sectionId, parent_id: parentId, label: labelId, ids, limit: size };
        return item.list({ path: '/tasks', query }, pages, limit);
      },
    },
    move: {
      displayName: 'Move',
      description: 'Moves a task to another project, section, or task',
      properties: [
        taskId,
        ...project,
        section,
        collection('options', 'Options', [text('parent', 'Parent ID', 'ID of the task above'), section]),
      ],
      run: (item) => item.perform({ path: pathOf(item, '/move'), json: targetOf(item) }),
    },
    quickAdd: {
      displayName: 'Quick Add',
      description: 'Creates a task from text, as in the app of Todoist',
      properties: [
        text('text', 'Text', 'Text such as `Call Ada tomorrow at 9 #Work p1`', { required: true }),
        collection('options', 'Options', [
          toggle('auto_reminder', 'Auto Reminder', 'Whether to add the default reminder'),
          text('note', 'Note', 'Comment on the task'),
          text('reminder', 'Reminder', 'When to remind, such as `in 1 hour`'),
        ]),
      ],
      run: (item) => item.send({ path: '/tasks/quick', json: { text: item.required('text'), ...item.fields('options') } }),
    },
    reopen: {
      displayName: 'Reopen',
      description: 'Reopens a completed task',
      properties: [taskId],
      run: (item) => item.perform({ method: 'POST', path: pathOf(item, '/reopen') }),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a task; fields that are not set are kept',
      properties: [
        taskId,
        collection('updateFields', 'Update Fields', [text('content', 'Content', 'Name of the task'), ...written, labels]),
      ],
      run: async (item) => item.send({ path: pathOf(item), json: await membersOf(item, 'updateFields') }),
    },
  },
};

const pathOf = (item: ServiceItem, more = ''): string => `/tasks/${encodeURIComponent(item.required('taskId').trim())}${more}`;

async function newTask(item: ServiceItem): Promise<JsonObject> {
  const chosenLabels = namesParameter(item.context, 'labels', item.index);
  return {
    content: item.required('content'),
    project_id: item.id('project'),
    ...(chosenLabels.length > 0 && { labels: chosenLabels }),
    ...(await membersOf(item, 'options')),
  };
}

/** A collection's members under their API names. */
async function membersOf(item: ServiceItem, path: string): Promise<JsonObject> {
  const { dueDateTime: _, dueString, dueLang, parentId, section: sectionId, labels: ownLabels, ...others } = item.fields(path);
  const due = await item.time(`${path}.dueDateTime`);
  return {
    ...others,
    ...filledFields({
      due_datetime: due?.toISOString().replace(/\.\d{3}Z$/, 'Z'),
      due_string: dueString,
      due_lang: dueLang,
      parent_id: parentId,
      section_id: sectionId,
    }),
    ...(ownLabels !== undefined && { labels: namesParameter(item.context, `${path}.labels`, item.index) }),
  };
}

/** Todoist accepts one target: the narrowest. */
function targetOf(item: ServiceItem): JsonObject {
  const parent = item.optional('options.parent');
  if (parent !== undefined) return { parent_id: parent };
  const inSection = item.optional('section') ?? item.optional('options.section');
  return inSection === undefined ? { project_id: item.id('project') } : { section_id: inSection };
}
