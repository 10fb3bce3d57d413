import type { Item, JsonValue } from '@sluice/domain';
import type { ExecuteContext } from '../context.ts';
import type { HttpRequest, HttpResponse } from '../http/http.ts';

/*
 * How a declarative node makes its requests. Any string that starts with `=` is an expression. It
 * can use the names of parameters, plus `$value` (of its parameter), `$index` (of its group in a
 * fixed collection), `$version`, `$parameter` (resolved), and `{{ $credentials.field }}`, a
 * credential field. `credential-expressions/credential-expression.ts` lists the syntax allowed
 * there.
 */

/**
 * Parts of a request. Later parts override earlier ones; headers, query, and body are merged by
 * name.
 */
export interface RoutingRequest {
  method?: string;
  /** Prefix of `url`. */
  baseURL?: string;
  url?: string;
  headers?: Readonly<Record<string, JsonValue>>;
  qs?: Readonly<Record<string, JsonValue>>;
  /** Sent as JSON. */
  body?: Readonly<Record<string, JsonValue>>;
  /** In milliseconds. */
  timeout?: number;
  /** Treats error statuses as regular responses: all of them, or all except those in `except`. */
  ignoreHttpStatusErrors?: boolean | { readonly ignore: boolean; readonly except?: readonly number[] };
}

/** Changes the request before it is sent. Returns the request to send. */
export type PreSend = (request: HttpRequest, context: ExecuteContext, itemIndex: number) => HttpRequest | Promise<HttpRequest>;

/** Where a parameter's value is sent. */
interface RoutingSend {
  /** Default `body`. */
  type?: 'body' | 'query';
  /** Name, dotted unless `propertyInDotNotation` is false. Absent: the value is not sent. */
  property?: string;
  propertyInDotNotation?: boolean;
  /** Replaces the parameter's value. */
  value?: JsonValue;
  preSend?: readonly PreSend[];
  /** Whether to fetch further pages; may be an expression. */
  paginate?: boolean | string;
}

export interface RoutingResponse extends Omit<HttpResponse, 'body'> {
  /** Parsed JSON if valid, else text. */
  body: JsonValue;
  raw: Uint8Array;
}

/**
 * Processes the items of a response. Expressions can use `$response` and, per item,
 * `$responseItem`.
 */
export type PostReceive =
  | ((items: Item[], response: RoutingResponse, context: ExecuteContext, itemIndex: number) => Item[] | Promise<Item[]>)
  | PostReceiveStep;

/** `enabled`: whether the step runs; may be an expression. */
type PostReceiveStep = { enabled?: boolean | string } & (
  | { type: 'rootProperty'; properties: { property: string } }
  | { type: 'filter'; properties: { pass: string | boolean } }
  | { type: 'limit'; properties: { maxResults: number | string } }
  | { type: 'set'; properties: { value: JsonValue } }
  | { type: 'setKeyValue'; properties: Readonly<Record<string, JsonValue>> }
  | { type: 'sort'; properties: { key: string } }
  | { type: 'binaryData'; properties: { destinationProperty: string } }
);

export interface OffsetPagination {
  type: 'offset';
  properties: {
    limitParameter: string;
    offsetParameter: string;
    pageSize: number;
    /** Path of the items in a page. Absent: the page is the list. */
    rootProperty?: string;
    type: 'body' | 'query';
  };
}

/**
 * `continue` is evaluated after each page, and `request` is merged into the next request. Both can
 * use `$response` and `$pageCount`, the number of pages so far.
 */
export interface GenericPagination {
  type: 'generic';
  properties: { continue: string | boolean; request: RoutingRequest };
}

/** Fetches the pages itself. `send` makes one request and returns its items after `postReceive`. */
export type FunctionPagination = (
  request: HttpRequest,
  send: (request: HttpRequest) => Promise<Item[]>,
  context: ExecuteContext,
  itemIndex: number,
) => Promise<Item[]>;

export interface Routing {
  request?: RoutingRequest;
  send?: RoutingSend;
  output?: { maxResults?: number | string; postReceive?: readonly PostReceive[] };
  operations?: { pagination?: OffsetPagination | GenericPagination | FunctionPagination };
}
