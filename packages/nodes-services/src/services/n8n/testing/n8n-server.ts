import { type ApiServer, apiServer, fields } from '../../../testing/api-server.ts';

export const site = { apiKey: 'key1', baseUrl: 'https://auto.example/api/v1/' };

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
/** In a query, every value is text. */
const flagText = { enum: ['true', 'false'] };
const paged = { limit: { type: 'string', pattern: '^([1-9]\\d?|1\\d\\d|2[0-4]\\d|250)$' }, cursor: text };
const graph = {
  nodes: { type: 'array' },
  connections: { type: 'object' },
  settings: { type: 'object' },
  staticData: { type: 'object' },
};

export const shownWorkflow = { id: 'w1', name: 'Flow', active: false, nodes: [], connections: {} };
const shownExecution = { id: '7', workflowId: 'w1', status: 'error' };
const categories = { enum: ['credentials', 'database', 'filesystem', 'instance', 'nodes'] };

/**
 * The API of this service. `PUT` on a workflow and `DELETE` on an execution exist only in other
 * services.
 */
export function n8nServer(): Promise<ApiServer> {
  const one = { answer: () => ({ json: shownWorkflow }) };
  const at = (path: string) => `/api/v1${path}`;
  return apiServer({
    baseUrl: 'https://auto.example',
    headers: { 'x-service-api-key': /^key1$/, 'x-n8n-api-key': /^key1$/ },
    routes: {
      [`GET ${at('/workflows')}`]: {
        query: fields({ ...paged, name: text, active: flagText, tags: text, projectId: text, excludePinnedData: flagText }),
        answer: () => ({ json: { data: [shownWorkflow], nextCursor: null } }),
      },
      [`POST ${at('/workflows')}`]: {
        body: fields({
          'name!': text,
          'nodes!': graph.nodes,
          'connections!': graph.connections,
          settings: graph.settings,
          staticData: graph.staticData,
        }),
        answer: () => ({ status: 201, json: shownWorkflow }),
      },
      [`GET ${at('/workflows/:id')}`]: { query: fields({ excludePinnedData: flagText }), ...one },
      [`PATCH ${at('/workflows/:id')}`]: { body: fields({ name: text, ...graph }), ...one },
      [`PUT ${at('/workflows/:id')}`]: { body: fields({ name: text, ...graph }), ...one },
      [`DELETE ${at('/workflows/:id')}`]: { answer: () => ({ json: { id: 'w1', name: 'Flow' } }) },
      [`POST ${at('/workflows/:id/activate')}`]: { answer: () => ({ json: { ...shownWorkflow, active: true } }) },
      [`POST ${at('/workflows/:id/deactivate')}`]: one,
      [`GET ${at('/executions')}`]: {
        query: fields({ ...paged, workflowId: text, status: text, projectId: text, includeData: flagText }),
        answer: () => ({ json: { data: [shownExecution], nextCursor: null } }),
      },
      [`GET ${at('/executions/:id')}`]: { query: fields({ includeData: flagText }), answer: () => ({ json: shownExecution }) },
      [`POST ${at('/executions/delete')}`]: {
        body: fields({ 'ids!': { type: 'array', items: text } }),
        answer: () => ({ json: { success: true } }),
      },
      [`DELETE ${at('/executions/:id')}`]: { answer: () => ({ json: shownExecution }) },
      [`POST ${at('/executions/:id/retry')}`]: {
        body: fields({ loadWorkflow: flag }),
        answer: () => ({ json: { ...shownExecution, id: '8', retryOf: '7' } }),
      },
      [`POST ${at('/executions/:id/stop')}`]: { answer: () => ({ json: { id: '7', status: 'canceled' } }) },
      [`POST ${at('/credentials')}`]: {
        body: fields({ 'name!': text, 'type!': text, 'data!': { type: 'object' } }),
        answer: () => ({ status: 201, json: { id: 'c1', name: 'Mine', type: 'githubApi' } }),
      },
      [`DELETE ${at('/credentials/:id')}`]: { answer: () => ({ json: true }) },
      [`GET ${at('/credentials/schema/:type')}`]: { answer: () => ({ json: { type: 'object' } }) },
      [`POST ${at('/audit')}`]: {
        body: fields({
          additionalOptions: fields({
            categories: { type: 'array', items: categories },
            daysAbandonedWorkflow: { type: 'integer' },
          }),
        }),
        answer: () => ({ json: { 'Nodes Risk Report': {} } }),
      },
    },
  });
}
