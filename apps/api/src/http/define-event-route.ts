import { type TSchema, Type } from '@sluice/contract';
import { declared, getWithoutInput, type Route, type RouteDeclaration, type RouteRequest } from './define-route.ts';
import type { ServerSentEvent } from './server-sent-event.ts';

interface EventRouteDefinition<Path extends string> extends RouteDeclaration<Path> {
  /** Kind of event → schema of its data. */
  events: Readonly<Record<string, TSchema>>;
  /** Resolves before the first byte is sent, so errors become error responses. */
  open(request: RouteRequest<Path, unknown, unknown>): Promise<AsyncIterable<ServerSentEvent>>;
}

/** A `GET` that returns a stream of server-sent events. */
export function defineEventRoute<const Path extends string>(definition: EventRouteDefinition<Path>): Route {
  return {
    ...declared(definition),
    ...getWithoutInput,
    responses: { 200: Type.String({ contentMediaType: 'text/event-stream' }) },
    events: definition.events,
    async handle(request: RouteRequest<string, unknown, unknown>) {
      const stream = await definition.open(request as RouteRequest<Path, unknown, unknown>);
      return { status: 200, body: null, events: stream };
    },
  };
}
