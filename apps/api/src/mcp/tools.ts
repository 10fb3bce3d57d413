import { isJsonObject, type JsonObject } from '@sluice/domain';
import { credentialRoutes } from '../credentials/credential-routes.ts';
import { executionRoutes } from '../executions/execution-routes.ts';
import type { Route } from '../http/route/define-route.ts';
import { nodeTypeRoutes } from '../node-types/node-type-routes.ts';
import type { Parameter } from '../openapi/document.ts';
import { parametersOf } from '../openapi/parameters.ts';
import { workflowRoutes } from '../workflows/workflow-routes.ts';
import { inputSchemaOf } from './input-schema.ts';
import { toolRoutes } from './tool-routes.ts';

/**
 * How a route is offered. Nothing is deleted, and no secrets, keys, or members are changed: models
 * follow what they read.
 */
interface Offer {
  route: Route;
  /** Follows the summary of the route. */
  advice?: string;
  /** Names of the parameters that the tool does not have. */
  without?: readonly string[];
  /** Members of the listed entries that the result has; default: all. */
  show?: readonly string[];
}

const offers: readonly Offer[] = [
  {
    route: toolRoutes.listWorkflows,
    advice: 'Without nodes and connections: getWorkflow has them.',
    without: ['excludePinnedData'],
  },
  { route: workflowRoutes.getWorkflow, advice: 'Send its etag as ifMatch of updateWorkflow.' },
  {
    route: workflowRoutes.createWorkflow,
    advice:
      'Read the types of its nodes first (listNodeTypes, getNodeType). `warnings` in the result lists what a run would reject.',
  },
  { route: workflowRoutes.updateWorkflow, advice: 'Lists replace the stored ones: send all nodes and connections.' },
  { route: workflowRoutes.activateWorkflow, advice: 'Its triggers then start executions.' },
  { route: workflowRoutes.deactivateWorkflow },
  { route: workflowRoutes.runWorkflow, advice: 'If it is not finished, continue with followExecution.' },
  { route: executionRoutes.listExecutions, without: ['includeData'] },
  { route: executionRoutes.getExecution },
  { route: toolRoutes.followExecution },
  { route: executionRoutes.stopExecution },
  { route: executionRoutes.retryExecution, advice: 'Continue with followExecution.' },
  {
    route: nodeTypeRoutes.listNodeTypes,
    advice: 'Without their parameters: getNodeType has them.',
    show: ['type', 'displayName', 'description', 'version', 'deprecated', 'usableAsTool'],
  },
  {
    route: nodeTypeRoutes.getNodeType,
    advice: 'A node takes the parameters whose displayOptions match its typeVersion (@version) and its other parameters.',
  },
  {
    route: credentialRoutes.listCredentials,
    advice: 'A node names one in `credentials`: `{"<type>": {"id": "…", "name": "…"}}`.',
    without: ['includeData', 'includeScopes'],
  },
];

/** A parameter of a route as an argument of a tool. */
export interface ToolParameter extends Parameter {
  argument: string;
}

export interface Tool {
  name: string;
  route: Route;
  parameters: readonly ToolParameter[];
  /** The definition that clients receive. */
  definition: JsonObject;
  /** The part of a response that the result contains. */
  toView(body: unknown): unknown;
}

export const tools: readonly Tool[] = offers.map(toTool);

function toTool({ route, advice, without = [], show }: Offer): Tool {
  const name = route.operationId;
  // Model providers accept only words as argument names, so parameters such as `filter[name]` are
  // omitted.
  const parameters = parametersOf(route)
    .map((parameter) => ({ ...parameter, argument: parameter.in === 'header' ? camelCase(parameter.name) : parameter.name }))
    .filter(({ argument }) => /^\w+$/.test(argument) && !without.includes(argument));
  const description = `${route.summary}.${advice === undefined ? '' : ` ${advice}`}`;
  const annotations = { readOnlyHint: route.action === undefined };
  const definition = { name, description, inputSchema: inputSchemaOf(route, parameters), annotations };
  return { name, route, parameters, definition, toView: (body) => (show ? withOnly(show, body) : body) };
}

/** `If-Match` → `ifMatch`. */
function camelCase(header: string): string {
  return header.replace(/^\w/, (letter) => letter.toLowerCase()).replaceAll('-', '');
}

function withOnly(names: readonly string[], body: unknown): unknown {
  if (!isJsonObject(body) || !Array.isArray(body['data'])) return body;
  const entries = body['data'].map((entry) =>
    Object.fromEntries(
      names.filter((name) => Object.hasOwn(entry as object, name)).map((name) => [name, (entry as JsonObject)[name]]),
    ),
  );
  return { ...body, data: entries };
}
