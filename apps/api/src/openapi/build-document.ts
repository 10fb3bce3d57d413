import type { Route } from '../http/route/define-route.ts';
import type { OpenApiDocument, Operation } from './document.ts';
import { errorResponses } from './error-responses.ts';
import { type DocumentParts, keyScheme, operationOf, tagOf } from './operation.ts';
import { documentPath } from './parameters.ts';
import { commonHeaders, responseHeaders } from './response-headers.ts';
import { SchemaComponents } from './schema-components.ts';

export interface DocumentOptions {
  routes: readonly Route[];
  /** Name of the header that carries the API key. */
  keyHeader: string;
}

export const apiVersion = '1.0.0';

const description = `Workflows are graphs of nodes; each run is an execution.

- Every error is JSON: \`message\` for people, a stable \`code\`, the \`requestId\`, and \`details\` where they help.
- Invalid HTTP requests are refused before they reach an operation: 400 \`VALIDATION_ERROR\`, 408 \`REQUEST_TIMEOUT\`, 417 \`EXPECTATION_FAILED\`, 431 \`HEADERS_TOO_LARGE\`.
- Unknown properties are ignored in bodies, and kept inside nodes, settings, and data. Unknown query parameters are ignored.
- \`x-required-scope\` is the scope that the key needs; \`none\`: any good key; \`every scope\`: all that the role of the key's user may hold; \`public\`: no key.`;

const tags: Readonly<Record<string, string>> = {
  workflows: 'Graphs of nodes, their versions, and runs of them',
  tags: 'Labels of workflows and executions',
  'node-types': 'Types of nodes',
  'node-packages': 'Packages of node types that are installed',
  executions: 'Runs of workflows',
  attention: 'What does not work, or soon may not',
  audit: 'Who did what',
  workers: 'Processes that run executions',
  queue: 'Executions that wait for a worker',
  statistics: 'How many executions end, how, and how fast',
  'binary-data': 'Files that items of executions refer to',
  'credential-types': 'Types of credentials',
  credentials: 'Secrets that nodes use',
  'api-keys': 'The caller’s API keys',
  sessions: 'Signing in to the dashboard',
  users: 'People',
  'data-tables': 'Tables of a project with typed columns, for workflows and other systems',
  'event-subscriptions': 'Signed requests to a URL for events of executions and workflows',
  events: 'Changes of executions, as a stream',
  projects: 'Groups of workflows and credentials, with members and their roles',
};

/** Builds the OpenAPI 3.1 document of the API from the route table. */
export function buildDocument({ routes, keyHeader }: DocumentOptions): OpenApiDocument {
  const parts: DocumentParts = { schemas: new SchemaComponents(), responses: {} };
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) {
    const operation = operationOf(route, parts);
    paths[documentPath(route.path)] = { ...paths[documentPath(route.path)], [route.method]: operation };
  }
  paths['/openapi.json'] = { get: documentOperation(parts) };
  const { responses, schemas } = parts;
  const scheme = {
    type: 'apiKey',
    in: 'header',
    name: keyHeader,
    description: 'an API key of a user; created by `POST /api-keys`',
  };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Sluice API',
      version: apiVersion,
      summary: 'Workflow automation: workflows, executions, credentials',
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/v1', description: 'this service' }],
    tags: [...new Set([...routes.map(tagOf), 'meta'])].map((name) => ({ name, description: tags[name] ?? 'About this API' })),
    paths,
    components: {
      schemas: sorted(schemas.schemas),
      responses: sorted(responses),
      headers: { ...responseHeaders },
      securitySchemes: { [keyScheme]: scheme },
    },
  };
}

/** The operation that returns the document itself. */
function documentOperation(parts: DocumentParts): Operation {
  return {
    operationId: 'getOpenApiDocument',
    summary: 'This document; requires no key',
    description: 'Generated from the routes of the running service.',
    tags: ['meta'],
    security: [],
    responses: {
      200: {
        description: 'OK',
        headers: commonHeaders(),
        content: { 'application/json': { schema: { type: 'object' }, example: { openapi: '3.1.1' } } },
      },
      ...errorResponses(['RATE_LIMITED', 'INTERNAL_ERROR'], parts),
    },
  };
}

function sorted<T>(byName: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(byName).sort(([a], [b]) => (a < b ? -1 : 1)));
}
