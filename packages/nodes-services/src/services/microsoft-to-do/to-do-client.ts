import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { text } from '@sluice/nodes-base/node-tools';
import type { Operation } from '../../shared/define-service.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import { graphPages, microsoftGraph } from '../../shared/microsoft-graph.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://learn.microsoft.com/graph/api/resources/todo-overview */
export const toDoClient = microsoftGraph('Microsoft To Do', 'microsoftToDoOAuth2Api', () => '/me/todo');

export const taskListId = text('taskListId', 'Task List Name or ID', 'The list, by its ID', {
  required: true,
  typeOptions: { loadOptionsMethod: 'getTaskLists' },
});
export const taskId = text('taskId', 'Task ID', 'ID of the task', { required: true });

/** Default of the parameter `limit`. */
const defaultLimit = 50;
/** Maximum number of elements per page. */
const pageSize = 100;

/** A kind of object with the usual operations. */
interface Kind {
  /** `a task`, `tasks` */
  one: string;
  many: string;
  /** Parameters that identify its container. */
  parents: readonly NodeProperty[];
  /** Parameter with its ID. */
  id: NodeProperty;
  /** Path of the collection. */
  pathOf(item: ServiceItem): string;
  create: { properties: readonly NodeProperty[]; bodyOf(item: ServiceItem): JsonObject };
  update: { properties: readonly NodeProperty[]; bodyOf(item: ServiceItem): JsonObject };
}

/** The operations to create, delete, get, list, and update objects of a kind. */
export function operationsOn({ one, many, parents, id, pathOf, create, update }: Kind): Record<string, Operation> {
  const path = (item: ServiceItem) => `${pathOf(item)}/${inPath(item, id.name)}`;
  return {
    create: {
      displayName: 'Create',
      description: `Creates ${one}`,
      properties: [...parents, ...create.properties],
      run: (item) => item.send({ path: pathOf(item), json: create.bodyOf(item) }),
    },
    delete: {
      displayName: 'Delete',
      description: `Deletes ${one}`,
      properties: [...parents, id],
      run: (item) => item.perform({ method: 'DELETE', path: path(item) }),
    },
    get: {
      displayName: 'Get',
      description: `Gets ${one}`,
      properties: [...parents, id],
      run: (item) => item.send({ path: path(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: `Lists ${many}`,
      properties: [...parents, ...listPropertiesOf(defaultLimit)],
      run(item) {
        const limit = item.limit(defaultLimit);
        return item.list({ path: pathOf(item), query: { $top: Math.min(limit, pageSize) } }, graphPages, limit);
      },
    },
    update: {
      displayName: 'Update',
      description: `Changes ${one}`,
      properties: [...parents, id, ...update.properties],
      run: (item) => item.send({ method: 'PATCH', path: path(item), json: update.bodyOf(item) }),
    },
  };
}

/** A required ID, for a path. */
export const inPath = (item: ServiceItem, parameter: string): string => encodeURIComponent(item.required(parameter).trim());

export const tasksPath = (item: ServiceItem): string => `/lists/${inPath(item, 'taskListId')}/tasks`;
