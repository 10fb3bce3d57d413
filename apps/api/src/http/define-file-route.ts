import { Type } from '@sluice/contract';
import type { RawRouteRequest, Route, RouteDocs, RouteRequest } from './define-route.ts';
import type { SentFile } from './send-file.ts';

interface FileRouteDefinition<Path extends string> {
  /** Below `/api/v1`. */
  path: Path;
  summary: string;
  docs?: RouteDocs;
  /** What it throws is an answer like any other. */
  find(request: RouteRequest<Path, unknown, unknown>): Promise<SentFile>;
}

const bytes = Type.String({ contentMediaType: 'application/octet-stream' });

/** A `GET` that answers with the bytes of a file, all or a range. */
export function defineFileRoute<const Path extends string>(definition: FileRouteDefinition<Path>): Route {
  const { path, summary, docs = {} } = definition;
  return {
    method: 'get',
    path,
    summary,
    query: undefined,
    body: undefined,
    bodyOptional: false,
    replies: { 200: bytes, 206: bytes, 304: Type.Null() },
    docs: { ...docs, errors: [...(docs.errors ?? []), 'RANGE_NOT_SATISFIABLE'] },
    async handle(raw: RawRouteRequest) {
      const file = await definition.find(raw as unknown as RouteRequest<Path, unknown, unknown>);
      return { status: 200, body: null, file };
    },
  };
}
