import type { Item, JsonValue } from '@sluice/domain';
import type { ExecuteContext } from '../context.ts';
import type { HttpRequest, HttpResponse } from '../http.ts';

/*
 * How a declarative node makes its requests. Any text here that begins with `=` is an expression: it sees what parameters see, `$value` (of the parameter that
 * it stands at), `$index` (of its group, in a fixed collection of many), `$version`, `$parameter` (resolved) and, as `{{ $credentials.field }}`, a field of the credential (`own-text.ts` lists what else is allowed).
 */

/** Parts of a request; later parts are laid over earlier ones, headers, query and body name by name. */
export interface RoutingRequest {
  method?: string;
  /** Stands before `url`. */
  baseURL?: string;
  url?: string;
  headers?: Readonly<Record<string, JsonValue>>;
  qs?: Readonly<Record<string, JsonValue>>;
  /** Sent as JSON. */
  body?: Readonly<Record<string, JsonValue>>;
  /** Milliseconds. */
  timeout?: number;
  /** Answers that are no success are answers, too. */
  ignoreHttpStatusErrors?: boolean;
}

/** Changes the request before it is sent; gives the one to send. */
export type PreSend = (request: HttpRequest, context: ExecuteContext, itemIndex: number) => HttpRequest | Promise<HttpRequest>;

/** Where the value of a parameter goes. */
export interface RoutingSend {
  /** Default `body`. */
  type?: 'body' | 'query';
  /** Name, dotted unless `propertyInDotNotation` is false. Absent: the value goes nowhere. */
  property?: string;
  propertyInDotNotation?: boolean;
  /** In place of the value of the parameter. */
  value?: JsonValue;
  preSend?: readonly PreSend[];
  /** Whether pages are turned; an expression may say. */
  paginate?: boolean | string;
}

export interface RoutingResponse extends Omit<HttpResponse, 'body'> {
  /** JSON where it is that, else text. */
  body: JsonValue;
  raw: Uint8Array;
}

/** What becomes of the items of an answer. Expressions see `$response` and, of each item, `$responseItem`. */
export type PostReceive =
  | ((items: Item[], response: RoutingResponse, context: ExecuteContext, itemIndex: number) => Item[] | Promise<Item[]>)
  | PostReceiveStep;

/** `enabled`: whether the step is taken; an expression may say. */
export type PostReceiveStep = { enabled?: boolean | string } & (
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
    /** Where the items of a page are; absent: the page is the list. */
    rootProperty?: string;
    type: 'body' | 'query';
  };
}

/** `continue` is asked after each page, and `request` laid over the next one; both see `$response` and `$pageCount`, the pages so far. */
export interface GenericPagination {
  type: 'generic';
  properties: { continue: string | boolean; request: RoutingRequest };
}

/** Turns the pages itself; `send` makes one request and gives its items, behind `postReceive`. */
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
