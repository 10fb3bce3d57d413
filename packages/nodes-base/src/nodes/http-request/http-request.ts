import {
  type ExecuteContext,
  type HttpRequest,
  type HttpResponse,
  type Item,
  isAppError,
  NodeOperationError,
  type NodeType,
} from '@sluice/node-sdk';
import { numberParameter } from '../../shared/parameters.ts';
import { pause } from '../../shared/pause.ts';
import { failedOrThrow } from '../../shared/per-item.ts';
import { buildRequest } from './build-request.ts';
import { httpRequestProperties, httpRequestVersions } from './http-request-properties.ts';
import { readResponse } from './read-response.ts';
import { requestAuthentication } from './request-authentication.ts';

/** Requests under way at once, where the node is not told how many: kind to the service, and bounded in memory. */
const defaultBatchSize = 10;

/** Each request under way holds a socket. */
const maxBatchSize = 1_000;

/** One HTTP request for each item, through the guarded client; what comes out is in the order of the items. */
export const httpRequest: NodeType = {
  description: {
    displayName: 'HTTP Request',
    name: 'http-request',
    group: ['output'],
    version: httpRequestVersions,
    description: 'Makes an HTTP request and gives its response',
    defaults: { name: 'HTTP Request' },
    inputs: ['main'],
    outputs: ['main'],
    properties: httpRequestProperties,
    icon: 'fa:globe',
    iconColor: 'blue',
    subtitle: '={{ $parameter["method"] + ": " + $parameter["url"] }}',
  },
  async execute(context) {
    const { size, intervalMs } = readBatching(context);
    const items = context.items();
    const results: Item[][] = [];
    for (let start = 0; start < items.length; start += size) {
      if (start > 0 && intervalMs > 0) await pause(intervalMs, context.signal);
      results.push(...(await requestBatch(context, items.slice(start, start + size), start)));
    }
    return [results.flat()];
  },
};

function readBatching(context: ExecuteContext): { size: number; intervalMs: number } {
  const path = 'options.batching.batch';
  if (context.parameter(path, 0) === undefined) return { size: defaultBatchSize, intervalMs: 0 };
  const size = numberParameter(context, `${path}.batchSize`, 0, 50);
  const intervalMs = numberParameter(context, `${path}.batchInterval`, 0, 1_000);
  return { size: size < 1 ? maxBatchSize : Math.min(Math.floor(size), maxBatchSize), intervalMs };
}

/** The first failure that ends the node ends the requests beside it too, and waits until they are gone. */
async function requestBatch(context: ExecuteContext, batch: readonly Item[], start: number): Promise<Item[][]> {
  const failure = new AbortController();
  const signal = AbortSignal.any([context.signal, failure.signal]);
  const requests = batch.map((_, offset) =>
    requestItem(context, start + offset, signal).catch((error) => {
      failure.abort(error);
      throw error;
    }),
  );
  await Promise.allSettled(requests);
  failure.signal.throwIfAborted();
  return Promise.all(requests);
}

async function requestItem(context: ExecuteContext, itemIndex: number, signal: AbortSignal): Promise<Item[]> {
  try {
    const authentication = await requestAuthentication(context, itemIndex);
    const request = { ...buildRequest(context, itemIndex), ...(authentication && { authentication }) };
    const response = await send(context, request, itemIndex, signal);
    return readResponse(context, itemIndex, response, request.maxRedirects !== 0);
  } catch (error) {
    signal.throwIfAborted();
    return [failedOrThrow(context, itemIndex, error)];
  }
}

/** The client's errors keep their code, and learn which item they belong to. */
async function send(
  context: ExecuteContext,
  request: HttpRequest,
  itemIndex: number,
  signal: AbortSignal,
): Promise<HttpResponse> {
  try {
    return await context.http.request(request, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!isAppError(error)) throw error;
    throw new NodeOperationError(error.message, { itemIndex, details: error.details, cause: error }, error.code);
  }
}
