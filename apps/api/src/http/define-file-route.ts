import { Type } from '@sluice/contract';
import { declared, getWithoutInput, type Route, type RouteDeclaration, type RouteRequest } from './define-route.ts';
import type { SentFile } from './send-file.ts';

interface FileRouteDefinition<Path extends string> extends RouteDeclaration<Path> {
  /** Errors become error responses. */
  find(request: RouteRequest<Path, unknown, unknown>): Promise<SentFile>;
}

const bytes = Type.String({ contentMediaType: 'application/octet-stream' });

/** A `GET` that returns the bytes of a file, all or a range. */
export function defineFileRoute<const Path extends string>(definition: FileRouteDefinition<Path>): Route {
  const route = declared(definition);
  return {
    ...route,
    ...getWithoutInput,
    responses: { 200: bytes, 206: bytes, 304: Type.Null() },
    docs: { ...route.docs, errors: [...(route.docs.errors ?? []), 'RANGE_NOT_SATISFIABLE'] },
    async handle(request: RouteRequest<string, unknown, unknown>) {
      const file = await definition.find(request as RouteRequest<Path, unknown, unknown>);
      return { status: 200, body: null, file };
    },
  };
}
