import { compileValidator, type Static, type TSchema, type Validator } from '@sluice/contract';
import { ValidationError } from '@sluice/domain';

import type { Caller } from '../auth/caller.ts';
import type { Services } from '../services.ts';
import { convertQuery } from './convert-query.ts';

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** What a handler gets. Everything is checked but `params`, which are any text. */
export interface RouteRequest<Path extends string, Query, Body> {
  params: Record<ParamNames<Path>, string>;
  query: Query;
  body: Body;
  caller: Caller;
  services: Services;
  /** Path of the request as it came, without the query. */
  url: string;
  /** A request header; names in any case. */
  header(name: string): string | undefined;
  /** Fires when the client goes away. */
  signal: AbortSignal;
}

type Replies = Readonly<Record<number, TSchema>>;
type ReplyOf<R extends Replies> = {
  [Status in keyof R & number]: { status: Status; body: Static<R[Status]>; headers?: Readonly<Record<string, string>> };
}[keyof R & number];

export interface RouteDefinition<Path extends string, Q extends TSchema, B extends TSchema, R extends Replies> {
  method: Method;
  /** Below `/api/v1`. The scope stands in `endpoint-scopes.ts`. */
  path: Path;
  summary: string;
  query?: Q;
  body?: B;
  /** A request without a body is taken for one with `{}`. */
  bodyOptional?: boolean;
  replies: R;
  handle(request: RouteRequest<Path, Static<Q>, Static<B>>): Promise<ReplyOf<NoInfer<R>>>;
}

/** A request as HTTP brings it. */
export type RawRouteRequest = RouteRequest<string, Readonly<Record<string, unknown>>, unknown>;

export interface Reply {
  status: number;
  body: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** A route that can be mounted and documented. */
export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly query: TSchema | undefined;
  readonly body: TSchema | undefined;
  readonly replies: Replies;
  /** Validates, then handles; throws `ValidationError` and what services throw. */
  handle(request: RawRouteRequest): Promise<Reply>;
}

/** One endpoint: schema, handler, and the static types between them. Validators are made here, once. */
export function defineRoute<
  const Path extends string,
  const R extends Replies,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
>(definition: RouteDefinition<Path, Q, B, R>): Route {
  const { method, path, summary, query, body, bodyOptional = false, replies } = definition;
  const validQuery = query && compileValidator(query);
  const validBody = body && compileValidator(body);
  return {
    method,
    path,
    summary,
    query,
    body,
    replies,
    async handle(raw) {
      const request = {
        ...raw,
        query: query && validQuery ? validQuery(convertQuery(query, raw.query)) : {},
        body: validBody ? checkBody(validBody, raw.body, bodyOptional) : undefined,
      };
      return definition.handle(request as RouteRequest<Path, Static<Q>, Static<B>>);
    },
  };
}

function checkBody<T>(validate: Validator<T>, body: unknown, optional: boolean): T {
  if (body === undefined && !optional) throw new ValidationError('a JSON body is required');
  return validate(body ?? {});
}
