import { compileValidator, type Static, type TSchema, Type, type Validator } from '@sluice/contract';
import type { ExecutionId, Scope } from '@sluice/domain';
import type { Caller } from '../../auth/caller.ts';
import type { Services } from '../../context.ts';
import type { ApiErrorCode } from '../errors/error-statuses.ts';
import type { SentFile } from '../response/send-file.ts';
import type { ServerSentEvent } from '../response/server-sent-events.ts';

type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';

/**
 * Scope that the API key needs (Contract 2.6). `none`: any valid key. `every scope`: all scopes
 * that the role of the key's user may hold, for operations that could grant them. `public`: no key.
 */
export type EndpointScope = Scope | 'none' | 'every scope' | 'public';

/** Operations that share a rate limit for each API key. */
export type OperationGroup = 'read' | 'write' | 'run' | 'credentialTest';

/** Name in the audit log: `<object type>.<verb>`. */
type AuditAction = `${string}.${string}`;

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** Input of a handler. Everything is validated except `params`, which are any string. */
export interface RouteRequest<Path extends string, Query, Body> {
  params: Record<ParamNames<Path>, string>;
  query: Query;
  body: Body;
  caller: Caller;
  services: Services;
  /** Path of the request, with the values of its parameters. */
  url: string;
  /** A request header; names in any case. */
  header(name: string): string | undefined;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  /**
   * The caller with the current rights of the key and its user, for long-running requests. Throws
   * as authentication does, and if the key has lost the scope of the route.
   */
  renewCaller(): Promise<Caller>;
  /**
   * The handler calls it with an execution before it waits for its end. Absent: the caller does not
   * follow executions.
   */
  onWait?: ((id: ExecutionId) => void) | undefined;
}

type ResponseSchemas = Readonly<Record<number, TSchema>>;
type BodyOf<R extends ResponseSchemas> = Static<R[keyof R & number]>;

/** Details for the OpenAPI document that the rest of a route does not state. */
interface RouteDocs {
  /** Request headers that the handler reads, besides the key. */
  headers?: Readonly<Record<string, TSchema>>;
  /** Headers of a success, in addition to the common response headers. */
  responseHeaders?: Readonly<Record<string, TSchema>>;
  /** Errors other than those implied by the route's shape. */
  errors?: readonly ApiErrorCode[];
}

/** Declarations common to all routes. */
interface RouteDeclaration<Path extends string, S extends EndpointScope = EndpointScope> {
  /** Below `/api/v1`. */
  path: Path;
  scope: S;
  summary: string;
  docs?: RouteDocs;
}

type RouteDefinition<
  Path extends string,
  S extends EndpointScope,
  Q extends TSchema,
  B extends TSchema,
  R extends ResponseSchemas,
> = RouteDeclaration<Path, S> & RouteEffect & RouteContent<Q, B, R> & RouteHandler<RequestOf<Path, S, Static<Q>, Static<B>>, R>;

/** The handler of a public route gets no caller. */
type RequestOf<Path extends string, S extends EndpointScope, Query, Body> = S extends 'public'
  ? Omit<RouteRequest<Path, Query, Body>, 'caller' | 'renewCaller' | 'onWait'>
  : RouteRequest<Path, Query, Body>;

/**
 * Every method except `get` has an effect, which the audit log names, unless the route declares
 * that it has no effect.
 */
type RouteEffect =
  | { method: 'get'; action?: never; limit?: never; readOnly?: never }
  | { method: 'post'; readOnly: true; action?: never; limit?: OperationGroup }
  | {
      method: Exclude<Method, 'get'>;
      action: AuditAction;
      readOnly?: never;
      /** Default: `write`. */
      limit?: OperationGroup;
    };

interface RouteContent<Q extends TSchema, B extends TSchema, R extends ResponseSchemas> {
  query?: Q;
  body?: B;
  /** A missing body is treated as `{}`. */
  bodyOptional?: boolean;
  /** Status and body of a success. */
  responses: R;
}

/** `reply` resolves to the body of a success; `handle` also sets other parts of the response. */
type RouteHandler<Request, R extends ResponseSchemas> =
  | { reply(request: Request): Promise<BodyOf<NoInfer<R>>>; handle?: never }
  | {
      handle(request: Request): Promise<Pick<RouteResponse, 'headers' | 'shared' | 'file'> & { body: BodyOf<NoInfer<R>> }>;
      reply?: never;
    };

export interface RouteResponse {
  status: number;
  /** Null for a 204. */
  body: unknown;
  /** Other requests may get the same object: it is serialized once and must not change. */
  shared?: boolean;
  /** Sent instead of the body, as they arrive. */
  events?: AsyncIterable<ServerSentEvent>;
  /** Sent instead of the body; it decides the status. */
  file?: SentFile;
  headers?: Readonly<Record<string, string>>;
}

/** A route that can be mounted and documented. */
export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly scope: EndpointScope;
  /** Absent for routes that only read. */
  readonly action?: AuditAction | undefined;
  readonly limit: OperationGroup;
  readonly summary: string;
  /** Name in the OpenAPI document, in generated clients, and of the tool for assistants. */
  readonly operationId: string;
  readonly query: TSchema | undefined;
  readonly body: TSchema | undefined;
  readonly bodyOptional: boolean;
  /** Validators of `query` and `body`; absent: the handler gets no such input. */
  readonly validate: { readonly query?: Validator<unknown> | undefined; readonly body?: Validator<unknown> | undefined };
  readonly responses: ResponseSchemas;
  readonly docs: RouteDocs;
  /** Kind of event → schema of its data, for a route that sends an event stream. */
  readonly events?: Readonly<Record<string, TSchema>>;
  /** Expects input that `performRoute` has validated. Throws what services throw. */
  handle(request: RouteRequest<string, unknown, unknown>): Promise<RouteResponse>;
}

type UnnamedRoute = Omit<Route, 'operationId'>;

/** Names routes: operation ID → route. */
export function defineRoutes<const Id extends string>(routes: Readonly<Record<Id, UnnamedRoute>>): Record<Id, Route> {
  const named = Object.entries<UnnamedRoute>(routes).map(([operationId, route]) => [operationId, { ...route, operationId }]);
  return Object.fromEntries(named) as Record<Id, Route>;
}

/** Defines an endpoint: schemas, handler, and static types. */
export function defineRoute<
  const Path extends string,
  const S extends EndpointScope,
  const R extends ResponseSchemas,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
>({ reply, handle, ...declared }: RouteDefinition<Path, S, Q, B, R>): UnnamedRoute {
  const status = Number(Object.keys(declared.responses)[0]);
  return toRoute({
    ...(declared as Omit<RouteParts, 'handle'>),
    handle: async (request) => {
      const input = request as RequestOf<Path, S, Static<Q>, Static<B>>;
      return reply ? { status, body: await reply(input) } : { status, ...(await handle(input)) };
    },
  });
}

interface EventRouteDefinition<Path extends string> extends RouteDeclaration<Path> {
  /** Kind of event → schema of its data. */
  events: Readonly<Record<string, TSchema>>;
  /** Resolves before the first byte is sent, so errors become error responses. */
  open(request: RouteRequest<Path, unknown, unknown>): Promise<AsyncIterable<ServerSentEvent>>;
}

/** A `GET` that returns a stream of server-sent events. */
export function defineEventRoute<const Path extends string>({ open, ...declared }: EventRouteDefinition<Path>): UnnamedRoute {
  return toRoute({
    ...declared,
    method: 'get',
    responses: { 200: Type.String({ contentMediaType: 'text/event-stream' }) },
    handle: async (request) => ({ status: 200, body: null, events: await open(request) }),
  });
}

/** Parts that a definition of any kind states; the other parts have defaults. */
type RouteParts = Pick<Route, 'method' | 'path' | 'scope' | 'summary' | 'responses' | 'handle'> &
  Partial<Omit<Route, 'validate' | 'operationId'>>;

/** Compiles the validators once. */
function toRoute({ method, query, body, ...parts }: RouteParts): UnnamedRoute {
  return {
    limit: method === 'get' ? 'read' : 'write',
    bodyOptional: false,
    docs: {},
    ...parts,
    method,
    query,
    body,
    validate: { query: query && compileValidator(query), body: body && compileValidator(body) },
  };
}

/** Display name of a route: `POST /workflows/:id/run`. */
export function endpointOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path}`;
}
