import {
  excessOf,
  type Item,
  type JsonObject,
  type JsonValue,
  mapSliced,
  maxDataContainers,
  maxDataDepth,
  parseJson,
  TimeSlice,
  TooManyMembersError,
  valueAt,
} from '@sluice/domain';
import type { ExecuteContext } from '../context.ts';
import type { NodeTypeDescription } from '../description.ts';
import { failedItem, NodeApiError, NodeOperationError } from '../errors/node-error.ts';
import type { HttpRequest } from '../http/http.ts';
import type { NodeType } from '../node-type.ts';
import { collectRouting, type RoutingPart } from './collect-routing.ts';
import { receiveItems, viewOf } from './receive-items.ts';
import { isPresent, RoutingResolver } from './resolve-routing.ts';
import { RoutedRequest } from './routed-request.ts';
import type { GenericPagination, OffsetPagination, Routing, RoutingResponse } from './routing.ts';

/** Maximum number of pages per item. */
const maxPages = 1_000;
/**
 * Maximum total size of an item's pages in bytes, and maximum number of items in them: they are
 * kept until the last page is read.
 */
const maxPagedBytes = 64 * 1024 * 1024;
const maxPagedItems = 1_000_000;
/** Maximum length of an error body in error details, in characters. */
const maxShownBodyLength = 2_048;

/** Reads the top-level parameters for one item, with the description's defaults. */
type ReadParameters = (context: ExecuteContext, itemIndex: number) => JsonObject;

/**
 * Runs a declarative type: for each item, sends the request that its routing describes. Uses the
 * first of the description's credentials that the node has set.
 */
export function declarativeExecute(
  description: NodeTypeDescription,
  read: ReadParameters = readParameters(description),
): NonNullable<NodeType['execute']> {
  return async (context) => {
    const items: Item[][] = [];
    for (const index of context.items().keys()) {
      try {
        const produced = await new ItemRun(description, context, index, read(context, index)).run();
        items.push(await mapSliced(produced, (item) => ({ ...item, pairedItem: { item: index } })));
      } catch (error) {
        context.signal.throwIfAborted();
        if (!context.continueOnFail) throw error;
        items.push([failedItem(error, index)]);
      }
    }
    return [items.flat()];
  };
}

/**
 * Runs one routing of a declarative type without its parameters' routings, for options and hooks.
 * Expressions can use the parameters of `context`, at its first item, and `names`. Returns the
 * items.
 */
export async function runRouting(
  description: NodeTypeDescription,
  routing: Routing,
  context: ExecuteContext,
  names: JsonObject = {},
): Promise<Item[]> {
  return new ItemRun(description, context, 0, readParameters(description)(context, 0)).run([{ routing, names }]);
}

function readParameters({ properties }: NodeTypeDescription): ReadParameters {
  return (context, index) =>
    Object.fromEntries(properties.map(({ name, default: initial }) => [name, context.parameter(name, index, initial)]));
}

/** The requests of one item. */
class ItemRun {
  readonly #description: NodeTypeDescription;
  readonly #context: ExecuteContext;
  readonly #index: number;
  readonly #parameters: JsonObject;
  readonly #credentialType: string | undefined;
  readonly #resolver: RoutingResolver;
  readonly #request = new RoutedRequest();
  #pagedBytes = 0;

  constructor(description: NodeTypeDescription, context: ExecuteContext, index: number, parameters: JsonObject) {
    this.#description = description;
    this.#context = context;
    this.#index = index;
    this.#parameters = parameters;
    const named = context.node.credentials ?? {};
    this.#credentialType = description.credentials?.find(({ name }) => Object.hasOwn(named, name))?.name;
    this.#resolver = new RoutingResolver(context, index, this.#parameters, this.#credentialType);
  }

  /** @param parts default: the routings of the parameters. */
  async run(parts: readonly RoutingPart[] = this.#ofParameters()): Promise<Item[]> {
    const { requestDefaults = {} } = this.#description;
    await this.#request.merge(requestDefaults, this.#resolver);
    const slice = new TimeSlice();
    for (const part of parts) {
      await this.#request.add(part, this.#resolver);
      if (slice.isOver) await slice.next();
    }
    const items = await this.#pages();
    const { maxResults } = this.#request;
    return maxResults === undefined ? items : items.slice(0, maxResults);
  }

  #ofParameters(): RoutingPart[] {
    const values = { parameters: this.#parameters, typeVersion: this.#context.typeVersion };
    return collectRouting(this.#description.properties, values);
  }

  async #pages(): Promise<Item[]> {
    const { pagination, paginates } = this.#request;
    if (!pagination || !paginates) return (await this.#page()).items;
    if (typeof pagination === 'function') {
      return pagination(await this.#toHttp(), async (request) => (await this.#send(request)).items, this.#context, this.#index);
    }
    return pagination.type === 'offset' ? this.#byOffset(pagination) : this.#byRequest(pagination);
  }

  async #byOffset({ properties }: OffsetPagination): Promise<Item[]> {
    const { limitParameter, offsetParameter, pageSize, rootProperty, type } = properties;
    const items: Item[] = [];
    for (let page = 0; page < maxPages; page++) {
      this.#request.put(type, [limitParameter], pageSize);
      this.#request.put(type, [offsetParameter], page * pageSize);
      const { items: pageItems, response } = await this.#page();
      this.#keep(items, pageItems, response);
      const list = isPresent(rootProperty) ? valueAt(response.body, rootProperty) : response.body;
      if (!Array.isArray(list) || list.length < pageSize || this.#isEnough(items)) return items;
    }
    throw this.#tooManyPages();
  }

  async #byRequest({ properties }: GenericPagination): Promise<Item[]> {
    const items: Item[] = [];
    for (let page = 1; page <= maxPages; page++) {
      const { items: pageItems, response } = await this.#page();
      this.#keep(items, pageItems, response);
      const names = { $response: viewOf(response), $pageCount: page };
      if (this.#isEnough(items) || (await this.#resolver.resolve(properties.continue, names)) !== true) return items;
      await this.#request.merge(properties.request ?? {}, this.#resolver, names);
    }
    throw this.#tooManyPages();
  }

  /** A service may return pages endlessly. */
  #keep(items: Item[], pageItems: readonly Item[], { raw }: RoutingResponse): void {
    for (const item of pageItems) items.push(item);
    this.#pagedBytes += raw.byteLength;
    if (this.#pagedBytes <= maxPagedBytes && items.length <= maxPagedItems) return;
    throw new NodeOperationError("the service's pages contain too much data", {
      itemIndex: this.#index,
      description: `All pages may have ${maxPagedBytes / 1024 / 1024} MiB and ${maxPagedItems} items. Ask for fewer results`,
    });
  }

  #isEnough(items: readonly Item[]): boolean {
    return items.length >= (this.#request.maxResults ?? Number.POSITIVE_INFINITY);
  }

  #tooManyPages(): NodeOperationError {
    return new NodeOperationError(`the service has more than ${maxPages} pages`, { itemIndex: this.#index });
  }

  async #page(): Promise<{ items: Item[]; response: RoutingResponse }> {
    return this.#send(await this.#toHttp());
  }

  async #toHttp(): Promise<HttpRequest> {
    const type = this.#credentialType;
    const authentication = type === undefined ? undefined : await this.#context.authentication(type, this.#index);
    let request = await this.#request.toHttp(authentication);
    for (const change of this.#request.preSend) request = await change(request, this.#context, this.#index);
    return request;
  }

  async #send(request: HttpRequest): Promise<{ items: Item[]; response: RoutingResponse }> {
    const { body: raw, ...head } = await this.#context.http.request(request, this.#context.signal);
    const response = { ...head, raw, body: await bodyOf(raw, this.#index) };
    if (!this.#request.accepts(head.status)) throw refused(response, this.#index);
    const receiving = { response, context: this.#context, itemIndex: this.#index, resolver: this.#resolver };
    return { items: await receiveItems(this.#request.steps, receiving), response };
  }
}

/** Parsed JSON if valid, else text; in time slices. */
async function bodyOf(raw: Uint8Array, itemIndex: number): Promise<JsonValue> {
  const text = Buffer.from(raw).toString();
  const excess = await excessOf(text, maxDataDepth, maxDataContainers);
  if (excess === 'many')
    throw new NodeOperationError(`the response contains more than ${maxDataContainers} lists and objects`, { itemIndex });
  if (excess) throw new NodeOperationError(`the response is nested deeper than ${maxDataDepth} levels`, { itemIndex });
  try {
    return (await parseJson(text)) as JsonValue;
  } catch (error) {
    if (error instanceof TooManyMembersError)
      throw new NodeOperationError(`the response cannot be read: ${error.message}`, { itemIndex });
    return text;
  }
}

function refused({ status, statusText, raw }: RoutingResponse, itemIndex: number): NodeApiError {
  const body = Buffer.from(raw).toString().slice(0, maxShownBodyLength);
  return new NodeApiError(`the service returned ${status} ${statusText}`.trim(), {
    itemIndex,
    details: { status, statusText, body },
  });
}
