import { createHash } from 'node:crypto';
import {
  type ExecuteContext,
  type HttpAuthentication,
  type HttpTls,
  type Item,
  NodeOperationError,
  stringifyJson,
} from '@sluice/node-sdk';
import type { ByteBudget } from '../../shared/byte-budget.ts';
import { itemError } from '../../shared/http/item-error.ts';
import { pause } from '../../shared/pause.ts';
import { type PageNames, pagePlan } from './next-page.ts';
import { optimizedResponse } from './optimized-response.ts';
import { endlessPages, isEmptyPage, type Pagination, paginationPath, readPagination } from './pagination.ts';
import { readLegacyPlan } from './read-legacy-plan.ts';
import { readPlan } from './read-plan.ts';
import { bodyValue, type ReceivedResponse, receiveResponse, refuseResponse, shownResponse } from './receive-response.ts';
import { requestAuthentication, requestCertificates } from './request-authentication.ts';
import { plannedRequest, type RequestPlan, shownRequest } from './request-plan.ts';
import { responseItems } from './response-items.ts';
import type { ResponseOptions } from './response-options.ts';

/**
 * Maximum number of identical pages in a row; a longer sequence means that pagination does not
 * advance.
 */
const maxSamePages = 5;
/**
 * Maximum total size of an item's pages in characters, and number of items in them: they are kept
 * until the last page is read.
 */
const maxPagedLength = 64 * 1024 * 1024;
const maxPagedItems = 1_000_000;

/** Context that all requests of an item share. */
interface ItemRequests {
  context: ExecuteContext;
  itemIndex: number;
  signal: AbortSignal;
  budget: ByteBudget;
  options: ResponseOptions;
  authentication: HttpAuthentication | undefined;
  certificates: HttpTls | undefined;
}

/**
 * Sends an item's request, or one request per page, and resolves to the items. Errors have the
 * item's index. All items of a node run share `budget`.
 */
export async function requestItem(
  item: Pick<ItemRequests, 'context' | 'itemIndex' | 'signal' | 'budget' | 'options'>,
): Promise<Item[]> {
  const { context, itemIndex } = item;
  const plan = await (context.typeVersion < 3 ? readLegacyPlan(context, itemIndex) : readPlan(context, itemIndex));
  const pagination = readPagination(context, itemIndex);
  const shared: ItemRequests = {
    ...item,
    authentication: await requestAuthentication(context, itemIndex),
    certificates: await requestCertificates(context, itemIndex),
  };
  if (pagination) return requestPages(shared, plan, pagination);
  return itemsOf(shared, await send(shared, plan, []));
}

async function requestPages(shared: ItemRequests, first: RequestPlan, pagination: Pagination): Promise<Item[]> {
  const { context, itemIndex, signal } = shared;
  const items: Item[] = [];
  const tally = new PageTally(itemIndex);
  let names: PageNames = { $pageCount: 0 };
  let previous: RequestPlan | undefined;
  for (let page = 0; page < pagination.maxRequests; page++) {
    if (page > 0 && pagination.intervalMs > 0) await pause(pagination.intervalMs, signal);
    const plan = await pagePlan(context, itemIndex, pagination, first, previous, names);
    if (!plan) break;
    refuseOtherOrigin(shared, first, plan);
    const response = await send(shared, plan, pagination.completeStatuses);
    if (isPastEnd(response, pagination)) break;
    for (const item of await itemsOf(shared, response)) items.push(item);
    previous = plan;
    names = { $pageCount: page + 1, $request: shownRequest(plan), $response: shownResponse(response) };
    if (await isComplete(shared, pagination, names)) break;
    await tally.add(response, items.length, signal);
  }
  return items;
}

/** Whether pagination ends before this response. */
function isPastEnd({ status, body }: ReceivedResponse, { completeWhen, completeStatuses }: Pagination): boolean {
  return completeStatuses.includes(status) || (completeWhen === 'responseIsEmpty' && isEmptyPage(bodyValue(body)));
}

async function isComplete(
  { context, itemIndex }: ItemRequests,
  { completeWhen }: Pagination,
  names: PageNames,
): Promise<boolean> {
  if (completeWhen !== 'other') return false;
  const complete = await context.evaluate(`${paginationPath}.completeExpression`, itemIndex, names);
  return complete === true || complete === 'true';
}

/**
 * Rejects another origin: the service that names the next page must not decide who receives the
 * credential.
 */
function refuseOtherOrigin(
  { authentication, certificates, itemIndex }: ItemRequests,
  first: RequestPlan,
  plan: RequestPlan,
): void {
  const [origin, next] = [first.url, plan.url].map((url) => URL.parse(url)?.origin);
  const hasSecrets =
    authentication !== undefined || certificates !== undefined || plan.headers.length > 0 || plan.body !== undefined;
  if (origin === next || !hasSecrets) return;
  throw new NodeOperationError(
    `the next page is at another origin, ${next}, where credentials, headers and body are not sent`,
    {
      itemIndex,
      description: 'Change the "Next URL" expression so that the URL has the same scheme and host as the first',
    },
  );
}

/**
 * Ends a pagination that repeats one page or returns too much data. Files are excluded: they are
 * stored.
 */
class PageTally {
  readonly #itemIndex: number;
  #last = '';
  #same = 0;
  #length = 0;

  constructor(itemIndex: number) {
    this.#itemIndex = itemIndex;
  }

  /**
   * Throws if the same page has been received too often in a row, or all pages and their items are
   * too large.
   */
  async add({ body }: ReceivedResponse, itemCount: number, signal: AbortSignal): Promise<void> {
    const value = body.kind === 'file' ? null : bodyValue(body);
    const text = value === null ? '' : await stringifyJson(value, { signal });
    const hash = text === '' ? '' : createHash('sha1').update(text).digest('base64');
    this.#same = hash !== '' && hash === this.#last ? this.#same + 1 : 1;
    this.#last = hash;
    this.#length += text.length;
    if (this.#same > maxSamePages) throw endlessPages('they are all the same', this.#itemIndex);
    if (this.#length > maxPagedLength || itemCount > maxPagedItems) throw pagesTooLarge(this.#itemIndex);
  }
}

function pagesTooLarge(itemIndex: number): NodeOperationError {
  return new NodeOperationError('the service’s pages contain too much data', {
    itemIndex,
    description: `All pages may have ${maxPagedLength} characters and ${maxPagedItems} items. Request fewer pages`,
  });
}

async function itemsOf({ context, itemIndex, options }: ItemRequests, response: ReceivedResponse): Promise<Item[]> {
  return responseItems(await optimized(response), options, context.items()[itemIndex], itemIndex);

  async function optimized(response: ReceivedResponse): Promise<ReceivedResponse> {
    if (!options.optimized || response.body.kind === 'file') return response;
    const value = await optimizedResponse(context, itemIndex, bodyValue(response.body), options.optimized);
    return { ...response, body: { kind: 'json', value } };
  }
}

/**
 * Sends a request and reads its response. A status that is neither a success nor in `alsoGood` is a
 * `NodeApiError`.
 */
async function send(shared: ItemRequests, plan: RequestPlan, alsoGood: readonly number[]): Promise<ReceivedResponse> {
  const { context, itemIndex, signal, budget, options, authentication, certificates } = shared;
  try {
    const request = await plannedRequest(plan, context.binary, certificates);
    return await context.http.stream({ ...request, ...(authentication && { authentication }) }, signal, (response) => {
      const { status } = response;
      const isGood = isSuccess(status) || options.neverError || alsoGood.includes(status);
      if (!isGood) return refuseResponse(response, plan.url, itemIndex);
      return receiveResponse(response, plan.method, options, { context, itemIndex, budget });
    });
  } catch (error) {
    signal.throwIfAborted();
    throw itemError(error, itemIndex);
  }
}

/** A redirect that was not followed is not a success. */
function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
