import { isJsonObject, type JsonObject } from '@sluice/domain';
import { Ajv2020 as Ajv, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Operation, Parameter, ResponseObject } from '../../src/openapi/document.ts';
import { openApiDocument } from '../../src/routes.ts';

/** An operation of the document, with its position. */
export interface DocumentedOperation extends Operation {
  method: string;
  /** As the document writes it: `/workflows/{id}`. */
  path: string;
  /** Matches the paths of its requests. */
  pattern: RegExp;
}

export interface ReceivedResponse {
  status: number;
  headers: Headers;
  body: unknown;
}

export const document = openApiDocument();

/** Every operation of the document, in its order. */
export const operations: readonly DocumentedOperation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    ...(operation as Operation),
    method: method.toUpperCase(),
    path,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  })),
);

/** Operations that require a key. */
export const protectedOperations = operations.filter(({ security }) => security.length > 0);

/** `POST /workflows/:id/run`: how the tables of the API name an operation. */
export function endpointOf({ method, path }: Pick<DocumentedOperation, 'method' | 'path'>): string {
  return `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
}

export function parametersOf({ parameters = [] }: Operation, where: Parameter['in']): readonly Parameter[] {
  return parameters.filter((parameter) => parameter.in === where);
}

/** Schema of an operation's JSON body. */
export function bodySchemaOf({ requestBody }: Operation): JsonObject | undefined {
  const schema = requestBody?.content['application/json']?.schema;
  return schema && resolve<JsonObject>(schema);
}

/** Follows a reference within the document. */
export function resolve<T extends object>(it: object): T {
  if (!('$ref' in it)) return it as T;
  const path = String(it.$ref).slice(2).split('/');
  return resolve<T>(path.reduce<unknown>((at, key) => (at as JsonObject)[key], document) as object);
}

/**
 * Components with content from users or node types. All others have only the documented properties.
 */
const open = new Set(['Node', 'Settings', 'Item', 'NodeType', 'NodeRun', 'Connections', 'PinData', 'ErrorRecord']);

const ajv = new Ajv({
  strict: false,
  formats: { 'date-time': (text: string) => new Date(text).toJSON() === text, instant: true, 'execution-id': true },
});
ajv.addSchema({
  $id: 'document',
  components: {
    schemas: Object.fromEntries(
      Object.entries(document.components.schemas).map(([name, schema]) => [
        name,
        absolute(open.has(name) ? schema : closed(schema)),
      ]),
    ),
  },
});

function closed(schema: JsonObject): JsonObject {
  return isJsonObject(schema['properties'] ?? null) ? { additionalProperties: false, ...schema } : schema;
}

function absolute(schema: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'));
}

const validators = new Map<string, ValidateFunction>();

/** Validators of response bodies, by operation and status; each is compiled once. */
function validatorOf(name: string, schema: JsonObject): ValidateFunction {
  const validate = validators.get(name) ?? ajv.compile(absolute(schema));
  validators.set(name, validate);
  return validate;
}

const anyError: JsonObject = { $ref: '#/components/schemas/Error' };

/**
 * Throws unless the document has such a response of this operation: status, headers, body. Paths
 * without an operation have errors only.
 */
export function assertDocumented(method: string, path: string, { status, headers, body }: ReceivedResponse): void {
  const operation = findOperation(method, path);
  const name = `${status} of ${operation?.operationId ?? `${method} ${path}`}`;
  if (!operation) {
    assertBody(name, anyError, body);
    return;
  }
  const reference = operation.responses[status];
  if (!reference) throw new Error(`the document does not know ${name}: ${JSON.stringify(body)}`);
  const response = resolve<ResponseObject>(reference);
  for (const header of Object.keys(response.headers)) {
    if (!headers.has(header)) throw new Error(`${name} lacks the header ${header}`);
  }
  const [type, content] = Object.entries(response.content ?? {})[0] ?? [];
  if (type === 'application/json' && content) assertBody(name, content.schema, body);
}

function assertBody(name: string, schema: JsonObject, body: unknown): void {
  const validate = validatorOf(name, schema);
  if (!validate(body))
    throw new Error(`${name} is not as documented: ${ajv.errorsText(validate.errors)}; ${JSON.stringify(body)}`);
}

/** The first matching operation, as in the router. */
function findOperation(method: string, path: string): DocumentedOperation | undefined {
  const [bare = ''] = path.split('?');
  return operations.find((operation) => operation.method === method.toUpperCase() && operation.pattern.test(bare));
}
