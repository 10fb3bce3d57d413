import type { TSchema } from '@sluice/contract';
import type { JsonObject, JsonValue } from '@sluice/domain';
import type { Route } from '../http/define-route.ts';
import type { Parameter } from './document.ts';
import { wordExamples } from './examples.ts';
import { pathParameterDescription } from './path-parameters.ts';

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
 * Headers, and query parameters unless their schema requires them, are optional. Their schemas are inlined, not
 * components. Examples are in the schema: “Try it out” of Swagger UI sends the `example` of a parameter.
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
