import type { TSchema } from '@sluice/contract';
import type { JsonObject, JsonValue } from '@sluice/domain';
import type { Route } from '../http/route/define-route.ts';
import type { Parameter } from './document.ts';
import { wordExamples } from './examples.ts';

/** In the order path, query, headers. */
export function parametersOf({ path, query, docs }: Route): Parameter[] {
  return [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => pathParameter(name as string, path)),
    ...propertiesOf(query).map(([name, schema]) => describe({ name, in: 'query', required: isRequired(query, name) }, schema)),
    ...Object.entries(docs.headers ?? {}).map(([name, schema]) =>
      describe({ name, in: 'header', required: false }, schema as unknown as JsonObject),
    ),
  ];
}

/** Converts `/workflows/:id` to the notation of OpenAPI. */
export function documentPath(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

const typeExamples: Readonly<Record<string, string>> = {
  credentials: 'httpBasicAuth',
  'credential-types': 'httpBasicAuth',
  'node-types': 'base.set',
};
const idExamples: Readonly<Record<string, string>> = {
  executions: wordExamples.executionId,
  'binary-data': wordExamples.binaryId,
};

function pathParameter(name: string, path: string): Parameter {
  const resource = path.split('/')[1] ?? '';
  const typeExample = name === 'type' ? typeExamples[resource] : name === 'id' ? idExamples[resource] : undefined;
  const example: JsonValue = typeExample ?? wordExamples[name as keyof typeof wordExamples] ?? wordExamples.id;
  const description = pathParameterDescription(name, path);
  return { name, in: 'path', required: true, ...(description && { description }), schema: { type: 'string' }, example };
}

/**
 * Headers, and query parameters unless their schema requires them, are optional. Their schemas are
 * inlined, not components. Examples are in the schema: “Try it out” of Swagger UI sends the
 * `example` of a parameter.
 */
function describe(named: Pick<Parameter, 'name' | 'in' | 'required'>, declared: JsonObject): Parameter {
  const { description, ...schema } = declared;
  return { ...named, ...(typeof description === 'string' && { description }), schema };
}

/** Parameters with a default need not be sent. */
function isRequired(query: TSchema | undefined, name: string): boolean {
  const { required = [], properties = {} } = (query ?? {}) as { required?: string[]; properties?: Record<string, object> };
  return required.includes(name) && !('default' in (properties[name] ?? {}));
}

function propertiesOf(schema: TSchema | undefined): [string, JsonObject][] {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, JsonObject> };
  return Object.entries(properties);
}

/** The resource of an `id`, by the first part of the path. */
const things: Readonly<Record<string, string>> = {
  workflows: 'workflow',
  tags: 'tag',
  executions: 'execution',
  'binary-data': 'file',
  'api-keys': 'API key',
  sessions: 'session',
  users: 'user',
  projects: 'project',
  'event-subscriptions': 'event subscription',
  'data-tables': 'data table',
};
const typed: Readonly<Record<string, string>> = {
  'node-types': 'node type',
  'credential-types': 'credential type',
  credentials: 'credential type',
};
/** IDs whose name does not say what they identify. */
const otherIds: Readonly<Record<string, string>> = { userId: 'member' };

const otherNames: Readonly<Record<string, string>> = {
  kind: 'loadOptions, listSearch, resourceMapping, actionHandler or credentialTest',
  method: 'name of the method; for loadOptions also the dotted path of a parameter with declared choices',
};

/** `undefined` if it is missing, which a test reports. */
function pathParameterDescription(name: string, path: string): string | undefined {
  const resource = path.split('/')[1] ?? '';
  if (name === 'type') return `name of the ${typed[resource]}`;
  if (Object.hasOwn(otherNames, name)) return otherNames[name];
  const thing = name === 'id' ? things[resource] : (otherIds[name] ?? /^([a-z]+)Id$/.exec(name)?.[1]);
  return thing && `id of the ${thing}`;
}
