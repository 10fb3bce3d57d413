import { ValidationError } from '@sluice/domain';
import type { DerivedMac } from '@sluice/vault';

const macLength = 32;

/** Parameters that may change from page to page; the others choose what is listed. */
const free: ReadonlySet<string> = new Set(['cursor', 'limit', 'lastId', 'includeData', 'excludePinnedData']);

/** Parameters that are lists separated by commas, in any order. */
const lists: ReadonlySet<string> = new Set(['status', 'tags']);

export interface PageRequest {
  route: { readonly query?: unknown };
  /** With the values of its parameters. */
  path: string;
  query: Readonly<Record<string, unknown>>;
}

interface PageResponse {
  body: unknown;
  /** Whether other requests get the same body. */
  shared?: boolean;
}

/**
 * Signs the `nextCursor` of every paged list, for its path and filters, and refuses all other
 * cursors. A cursor is a message authentication code and a position; the code covers the position
 * as it is written, so no character of a cursor can change. All replicas accept each other's
 * cursors, also while the master key is rotated.
 */
export class PageCursors {
  readonly #mac: Pick<DerivedMac, 'sign' | 'verify'>;
  /** Shared body → the same body with its cursor signed, one object for all responses. */
  readonly #shared = new WeakMap<object, object>();

  constructor(mac: Pick<DerivedMac, 'sign' | 'verify'>) {
    this.#mac = mac;
  }

  /**
   * The query with the position in place of the cursor. Throws `ValidationError` for a cursor that
   * is not a `nextCursor` of this list.
   */
  open(request: PageRequest): PageRequest['query'] {
    const { cursor } = request.query;
    if (typeof cursor !== 'string' || !isPaged(request.route)) return request.query;
    const position = cursor.slice(macLength);
    if (!this.#mac.verify(cursor.slice(0, macLength), signedText(request, position))) throw invalidCursor();
    return { ...request.query, cursor: position };
  }

  /** The response with a signed cursor in place of the position. */
  seal<R extends PageResponse>(request: PageRequest, response: R): R {
    const { body } = response;
    if (!isPaged(request.route) || !hasNext(body)) return response;
    const sealed = (response.shared && this.#shared.get(body)) || {
      ...body,
      nextCursor: `${this.#mac.sign(signedText(request, body.nextCursor))}${body.nextCursor}`,
    };
    if (response.shared) this.#shared.set(body, sealed);
    return { ...response, body: sealed };
  }
}

function invalidCursor(): ValidationError {
  return new ValidationError('the cursor is not valid', [
    { path: '/cursor', message: 'must be a nextCursor of this list with the same filters' },
  ]);
}

/** Whether a route lists pages: its query has a cursor. */
function isPaged(route: PageRequest['route']): boolean {
  return 'cursor' in propertiesOf(route);
}

function propertiesOf({ query }: PageRequest['route']): object {
  return (query as { properties?: object } | undefined)?.properties ?? {};
}

function hasNext(body: unknown): body is { nextCursor: string } {
  return typeof body === 'object' && body !== null && 'nextCursor' in body && typeof body.nextCursor === 'string';
}

function signedText({ route, path, query }: PageRequest, position: string): string {
  const names = Object.keys(propertiesOf(route)).filter((name) => !free.has(name) && Object.hasOwn(query, name));
  return JSON.stringify([path, names.sort().map((name) => [name, normalized(name, query[name])]), position]);
}

function normalized(name: string, value: unknown): unknown {
  if (!lists.has(name) || typeof value !== 'string') return value;
  const entries = value.split(',').map((entry) => entry.trim());
  return [...new Set(entries)].filter((entry) => entry !== '').sort();
}

/** Each list has its own kind, so that its cursors are invalid for other lists. */
export interface CursorShape {
  executions: { id: string };
  audit: { id: string };
  workflows: { id: string; at: string };
  users: { id: string; at: string };
  projects: { id: string; at: string };
  tags: { id: string; at: string };
  workflowVersions: { id: string; at: string };
  nodeTypes: { name: string };
  credentialTypes: { name: string };
  dataTables: { id: string; at: string };
  /** `key`: empty, or `=` and the sort key. */
  dataRows: { id: string; key: string };
  eventSubscriptions: { id: string; at: string };
  eventDeliveries: { id: string; at: string };
}

/** base64url of JSON. `PageCursors` signs it, so only cursors of this API come back. */
export function encodeCursor<Kind extends keyof CursorShape>(kind: Kind, position: CursorShape[Kind]): string {
  return Buffer.from(JSON.stringify({ kind, ...position })).toString('base64url');
}

/** Throws `ValidationError` for the cursor of another list. */
export function decodeCursor<Kind extends keyof CursorShape>(kind: Kind, cursor: string): CursorShape[Kind] {
  const position = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as { kind: string } & CursorShape[Kind];
  if (position.kind !== kind) throw invalidCursor();
  return position;
}
