import { STATUS_CODES } from 'node:http';
import type { TSchema } from '@sluice/contract';
import type { JsonObject, JsonValue } from '@sluice/domain';
import { formatEvent } from '../http/response/server-sent-events.ts';
import type { Route } from '../http/route/define-route.ts';
import type { HeaderObject, MediaType, ResponseObject } from './document.ts';
import { exampleOf } from './examples.ts';
import { commonHeaders } from './response-headers.ts';
import type { SchemaComponents } from './schema-components.ts';

export function successResponses(route: Route, components: SchemaComponents): Record<string, ResponseObject> {
  return Object.fromEntries(
    Object.entries(route.responses).map(([status, schema]) => [
      status,
      successResponse(Number(status), schema, route, components),
    ]),
  );
}

function successResponse(
  status: number,
  schema: TSchema,
  { docs, events }: Route,
  components: SchemaComponents,
): ResponseObject {
  const response = { description: STATUS_CODES[status] ?? '', headers: { ...commonHeaders(), ...declaredHeaders(docs) } };
  if (status === 204 || status === 304) return response;
  const [type, content] = events ? eventStream(schema, events, components) : body(schema, components);
  return { ...response, content: { [type]: content } };
}

function declaredHeaders({ responseHeaders = {} }: Route['docs']): Record<string, HeaderObject> {
  return Object.fromEntries(
    Object.entries(responseHeaders).map(([name, schema]) => {
      const { description = name, examples = [], ...rest } = schema as { description?: string; examples?: JsonValue[] };
      return [name, { description, schema: rest as JsonObject, example: examples[0] as JsonValue }];
    }),
  );
}

/** JSON, unless the schema has `contentMediaType`. */
function body(schema: TSchema, components: SchemaComponents): [string, MediaType] {
  const { contentMediaType: type = 'application/json' } = schema as { contentMediaType?: string };
  return [type, { schema: components.of(schema), example: exampleOf(schema) }];
}

/** OpenAPI 3.1 cannot describe event streams: the body is a string; `x-events` has the events. */
function eventStream(
  schema: TSchema,
  events: Readonly<Record<string, TSchema>>,
  components: SchemaComponents,
): [string, MediaType] {
  const eventSchemas = Object.entries(events).map(([event, data]) => [event, components.of(data)] as const);
  const example = Object.entries(events).map(([event, data]) => formatEvent({ id: '0-running', event, data: exampleOf(data) }));
  return [
    'text/event-stream',
    { schema: components.of(schema), example: example.join(''), 'x-events': Object.fromEntries(eventSchemas) },
  ];
}
