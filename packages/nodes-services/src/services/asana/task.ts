import type { JsonObject, JsonValue, NodeProperty } from '@sluice/node-sdk';
import { collection, names, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { filledFields } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { chosen, joined, listed, listProperties, membersOf, pathOf, send, workspace } from './asana-client.ts';

const id = text('id', 'Task ID', 'ID of the task', { required: true });
const name = text('name', 'Name', 'Name of the task', { required: true });

const written: readonly NodeProperty[] = [
  chosen('assignee', 'Assignee', 'getUsers'),
  text('assignee_status', 'Assignee Status', 'Such as `inbox`, `today`, `upcoming`, or `later`'),
  toggle('completed', 'Completed', 'Whether the task is done'),
  text('due_on', 'Due On', 'Day by which the task is due'),
  toggle('liked', 'Liked', 'Whether the account likes the task'),
  text('notes', 'Notes', 'Text of the task'),
];
const projects = names('projects', 'Projects', 'IDs of projects', { typeOptions: { loadOptionsMethod: 'getProjects' } });
const shownFields = names('opt_fields', 'Fields', 'Fields to return, such as `name` and `due_on`; default: the main ones');
const others = (...members: readonly NodeProperty[]) => collection('otherProperties', 'Other Properties', members);

/** https://developers.asana.com/reference/tasks */
export const task: Resource = {
  displayName: 'Task',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a task',
      properties: [workspace, name, others(...written, projects)],
      run: (item) => create(item, '/tasks', { workspace: item.id('workspace') }),
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a task',
      properties: [id],
      run: (item) => item.perform({ method: 'DELETE', path: pathOf(item, 'tasks', 'id') }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a task',
      properties: [id],
      run: (item) => send(item, { path: pathOf(item, 'tasks', 'id') }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the tasks of a project, of a section, or of a user in a workspace',
      properties: [
        ...listProperties,
        collection('filters', 'Filters', [
          chosen('assignee', 'Assignee', 'getUsers'),
          shownFields,
          chosen('project', 'Project', 'getProjects'),
          chosen('section', 'Section', 'getSections'),
          chosen('workspace', 'Workspace', 'getWorkspaces'),
          text('completed_since', 'Completed Since', 'Time; `now`: only tasks that are not done'),
          text('modified_since', 'Modified Since', 'Time since which the tasks have changed'),
        ]),
      ],
      run: (item) => {
        const filters = item.fields('filters');
        const has = (name: string) => Object.hasOwn(filters, name);
        const isAllowed = has('project') || has('section') || (has('assignee') && has('workspace'));
        if (!isAllowed)
          throw item.error('no list of tasks is chosen', 'Set the project, the section, or the assignee and the workspace');
        return listed(item, '/tasks', { ...filters, opt_fields: joined(item, 'filters.opt_fields') });
      },
    },
    move: {
      displayName: 'Move',
      description: 'Moves a task to a section',
      properties: [
        id,
        chosen('projectId', 'Project', 'getProjects', { required: true }),
        chosen('section', 'Section', 'getSections', { required: true }),
      ],
      run: (item) =>
        item.perform({ path: pathOf(item, 'sections', 'section', '/addTask'), json: { data: { task: item.id('id') } } }),
    },
    search: {
      displayName: 'Search',
      description: 'Finds up to 100 tasks of a workspace, the last changed ones first; needs a paid plan',
      properties: [
        workspace,
        collection('searchTaskProperties', 'Search Properties', [
          toggle('completed', 'Completed', 'Whether to find tasks that are done, instead of those that are not'),
          text('text', 'Text', 'Words of the name or of the text'),
        ]),
      ],
      run: async (item) => {
        const query = { ...item.fields('searchTaskProperties'), limit: 100 };
        return send(item, { path: pathOf(item, 'workspaces', 'workspace', '/tasks/search'), query });
      },
    },
    update: {
      displayName: 'Update',
      description: 'Changes a task',
      properties: [id, others(...written, text('name', 'Name', 'Name of the task'))],
      run: (item) =>
        send(item, { method: 'PUT', path: pathOf(item, 'tasks', 'id'), json: { data: membersOf(item, 'otherProperties') } }),
    },
  },
};

function create(item: ServiceItem, path: string, more: JsonObject): Promise<JsonValue> {
  const { projects: _, ...members } = membersOf(item, 'otherProperties');
  const ids = joined(item, 'otherProperties.projects');
  const data = { ...more, name: item.required('name'), ...members, ...(ids !== '' && { projects: ids.split(',') }) };
  return send(item, { path, json: { data } });
}

const taskId = text('taskId', 'Parent Task ID', 'ID of the task', { required: true });

/** https://developers.asana.com/reference/createsubtaskfortask */
export const subtask: Resource = {
  displayName: 'Subtask',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a subtask',
      properties: [taskId, name, others(...written, chosen('workspace', 'Workspace', 'getWorkspaces'))],
      run: (item) => create(item, pathOf(item, 'tasks', 'taskId', '/subtasks'), {}),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the subtasks of a task',
      properties: [
        taskId,
        ...listProperties,
        collection('options', 'Options', [shownFields, toggle('opt_pretty', 'Pretty', 'Has no effect: responses are parsed')]),
      ],
      run: (item) =>
        listed(item, pathOf(item, 'tasks', 'taskId', '/subtasks'), { opt_fields: joined(item, 'options.opt_fields') }),
    },
  },
};

/** https://developers.asana.com/reference/createstoryfortask */
export const taskComment: Resource = {
  displayName: 'Task Comment',
  operations: {
    add: {
      displayName: 'Add',
      description: 'Adds a comment to a task',
      properties: [
        id,
        toggle('isTextHtml', 'Is Text HTML', 'Whether the text is HTML'),
        text('text', 'Text', 'Text of the comment', { required: true }),
        collection('additionalFields', 'Additional Fields', [
          toggle('is_pinned', 'Pinned', 'Whether the comment is shown above the others'),
        ]),
      ],
      run: (item) => {
        const comment = item.required('text');
        const content = item.toggle('isTextHtml')
          ? { html_text: comment.startsWith('<body>') ? comment : `<body>${comment}</body>` }
          : { text: comment };
        const data = { ...content, ...item.fields('additionalFields') };
        return send(item, { path: pathOf(item, 'tasks', 'id', '/stories'), json: { data } });
      },
    },
    remove: {
      displayName: 'Remove',
      description: 'Removes a comment from its task',
      properties: [text('id', 'Comment ID', 'ID of the comment', { required: true })],
      run: (item) => item.perform({ method: 'DELETE', path: pathOf(item, 'stories', 'id') }),
    },
  },
};

const tag = chosen('tag', 'Tag', 'getTags', { required: true });
const project = chosen('project', 'Project', 'getProjects', { required: true });

const changing = (item: ServiceItem, action: string, data: JsonObject) =>
  item.perform({ path: pathOf(item, 'tasks', 'id', `/${action}`), json: { data } });

export const taskTag: Resource = {
  displayName: 'Task Tag',
  operations: {
    add: {
      displayName: 'Add',
      description: 'Adds a tag to a task',
      properties: [id, tag],
      run: (item) => changing(item, 'addTag', { tag: item.id('tag') }),
    },
    remove: {
      displayName: 'Remove',
      description: 'Removes a tag from a task',
      properties: [id, tag],
      run: (item) => changing(item, 'removeTag', { tag: item.id('tag') }),
    },
  },
};

export const taskProject: Resource = {
  displayName: 'Task Project',
  operations: {
    add: {
      displayName: 'Add',
      description: 'Adds a task to a project',
      properties: [
        id,
        project,
        collection('additionalFields', 'Additional Fields', [
          text('insert_after', 'Insert After', 'ID of a task of the project'),
          text('insert_before', 'Insert Before', 'ID of a task of the project'),
          chosen('section', 'Section', 'getSections'),
        ]),
      ],
      run: (item) =>
        changing(item, 'addProject', { project: item.id('project'), ...filledFields(item.fields('additionalFields')) }),
    },
    remove: {
      displayName: 'Remove',
      description: 'Removes a task from a project',
      properties: [id, project],
      run: (item) => changing(item, 'removeProject', { project: item.id('project') }),
    },
  },
};
