import { STATUS_CODES } from 'node:http';
import { errorBody } from '@sluice/contract';
import type { JsonObject } from '@sluice/domain';
import { type ApiErrorCode, errorStatuses, isTemporary } from '../http/errors/error-statuses.ts';
import type { Route } from '../http/route/define-route.ts';
import type { Components, Reference, ResponseObject } from './document.ts';
import { commonHeaders, headerReference } from './response-headers.ts';
import type { SchemaComponents } from './schema-components.ts';

/** Code → example of its message; docs/errors.md explains each code. */
const messages: Readonly<Record<ApiErrorCode, string>> = {
  VALIDATION_ERROR: 'the request is not valid',
  UNAUTHORIZED: 'missing or invalid API key: send it in the header X-SERVICE-API-KEY',
  FORBIDDEN: 'the API key lacks a scope',
  LICENSE_REQUIRED: 'shared credentials need an enterprise license',
  NOT_FOUND: 'workflow 2tUt1wbLX592XDdX does not exist',
  METHOD_NOT_ALLOWED: 'this path accepts only these methods: GET, HEAD, POST',
  REQUEST_TIMEOUT: 'the request took too long to arrive',
  ALREADY_RESUMED: 'the execution no longer waits for this request',
  CONFLICT: 'cannot retry a running or waiting execution',
  CREDENTIAL_IN_USE: 'credential 6bR2kYw9cNf4TzLm is used by "Greet"',
  CREDENTIAL_UNREADABLE: 'credential 6bR2kYw9cNf4TzLm cannot be decrypted with the configured keys',
  IDEMPOTENCY_KEY_EXECUTION_DELETED: 'the idempotency key has started execution 4711, which has been deleted',
  NOT_WAITING_YET: 'the execution does not wait for this request yet: try again in a few seconds',
  PROJECT_NOT_EMPTY: 'the project still holds workflows, credentials, or data tables',
  VERSION_CONFLICT: 'the resource has changed since it was read',
  WEBHOOK_PATH_TAKEN:
    'the webhook POST orders of node "Webhook" is taken by node "Orders" of workflow 2tUt1wbLX592XDdX ("Orders")',
  PAYLOAD_TOO_LARGE: 'the body is too large',
  STORAGE_QUOTA_EXCEEDED:
    'the project has reached its storage quota for the data and files of executions; delete executions to free space',
  UNSUPPORTED_MEDIA_TYPE: 'the body must be application/json',
  RANGE_NOT_SATISFIABLE: 'the file has 1024 bytes',
  EXPECTATION_FAILED: 'the only supported expectation is 100-continue',
  CONCURRENCY_LIMIT: 'skipped: the workflow has reached its concurrency limit',
  QUEUE_FULL: 'project KhXb0Dp6ZyVt8uQa has reached its limit of executions waiting to start',
  RATE_LIMITED: 'too many requests',
  HEADERS_TOO_LARGE: 'the headers are too large',
  EXECUTION_FAILED: 'the workflow has failed',
  INTERNAL_ERROR: 'internal error',
  NO_ANSWER: 'the last node returned no data to respond with',
  WEBHOOK_FAILED: 'the node could not handle the request',
  NODE_METHOD_FAILED: 'the service returned 500 Internal Server Error',
  REGISTRATION_FAILED:
    'the workflow was not activated: node "GitHub" could not be registered at its service: the service returned 404 Not Found',
  SERVICE_UNAVAILABLE: 'the service is temporarily unavailable',
  ANSWER_TIMEOUT: 'the workflow did not respond in time',
};

const examplesOfDetails: Partial<Record<ApiErrorCode, { path: string; message: string }[]>> = {
  VALIDATION_ERROR: [{ path: '/name', message: 'is required' }],
  FORBIDDEN: [{ path: 'scope', message: 'workflow:update' }],
};

/** Errors of every operation that requires a key. */
const always: readonly ApiErrorCode[] = ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];
const withBody: readonly ApiErrorCode[] = [
  'VALIDATION_ERROR',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
];

/** Errors that follow from the shape of a route, and those that the route adds. */
export function errorCodesOf({ method, path, query, body, docs, scope }: Route): ApiErrorCode[] {
  const codes = new Set<ApiErrorCode>([...always, ...(docs.errors ?? [])]);
  if (scope === 'public') codes.delete('FORBIDDEN');
  if (method !== 'get') codes.add('CONFLICT'); // what the operation needs may go away in the meantime
  if (path.includes(':')) codes.add('NOT_FOUND');
  if (query || docs.headers) codes.add('VALIDATION_ERROR');
  if (body) for (const code of withBody) codes.add(code);
  return [...codes];
}

/** One response per status. Operations with the same codes share components. */
export function errorResponses(
  codes: readonly ApiErrorCode[],
  { responses, schemas }: { responses: Components['responses']; schemas: SchemaComponents },
): Record<string, Reference> {
  const inOrder = Object.keys(errorStatuses).filter((code) => codes.includes(code as ApiErrorCode)) as ApiErrorCode[];
  const byStatus = Map.groupBy(inOrder, (code) => errorStatuses[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, declared]) => {
      const name = declared.map(pascal).join('Or');
      responses[name] ??= errorResponse(status, declared, schemas);
      return [String(status), { $ref: `#/components/responses/${name}` }];
    }),
  );
}

function errorResponse(status: number, codes: readonly ApiErrorCode[], schemas: SchemaComponents): ResponseObject {
  const examples = codes.map((code) => [code, { value: exampleOfError(code) }] as const);
  const code = { type: 'string', enum: [...codes] };
  const codeMember: JsonObject = { type: 'object', properties: { code } };
  if (status === 400)
    Object.assign(codeMember, {
      properties: { code, details: { type: 'array', items: { type: 'object' }, minItems: 1 } },
      required: ['details'],
    });
  return {
    description: STATUS_CODES[status] ?? String(status),
    headers: {
      ...commonHeaders(),
      ...(isTemporary(status) ? headerReference('Retry-After') : {}),
      ...(status === 401 ? headerReference('WWW-Authenticate') : {}),
    },
    content: {
      'application/json': { schema: { allOf: [schemas.of(errorBody), codeMember] }, examples: Object.fromEntries(examples) },
    },
  };
}

function exampleOfError(code: ApiErrorCode) {
  const details = examplesOfDetails[code];
  const error = { message: messages[code], code, requestId: '1c3b1f5e-6a64-4f0e-9a39-0c6a2d0f6f7e' };
  return details ? { ...error, details } : error;
}

function pascal(code: string): string {
  return code
    .split('_')
    .map((word) => `${word[0]}${word.slice(1).toLowerCase()}`)
    .join('');
}
