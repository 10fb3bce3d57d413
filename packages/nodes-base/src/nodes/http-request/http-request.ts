import { type ExecuteContext, type Item, NodeOperationError, type NodeOutput, type NodeType } from '@sluice/node-sdk';
import { ByteBudget, maxResultBytes } from '../../shared/byte-budget.ts';
import { failedRequestOrThrow } from '../../shared/http/failed-request.ts';
import { pause } from '../../shared/pause.ts';
import { httpRequestProperties, httpRequestToolProperties, httpRequestVersions } from './http-request-properties.ts';
import { unsupportedUses } from './request-authentication.ts';
import { requestItem } from './request-item.ts';
import { readBatching } from './request-limits.ts';
import { maxResponseItems } from './response-items.ts';
import { type ReadResponseOptions, readResponseOptions, readToolResponseOptions } from './response-options.ts';

/**
 * Sends one HTTP request per item through the guarded client; the output keeps the order of the
 * items.
 */
export const httpRequest: NodeType = {
  description: {
    displayName: 'HTTP Request',
    name: 'http-request',
    group: ['output'],
    version: httpRequestVersions,
    description: 'Sends an HTTP request and outputs its response',
    defaults: { name: 'HTTP Request' },
    usableAsTool: true,
    inputs: ['main'],
    outputs: ['main'],
    properties: httpRequestProperties,
    icon: 'fa:globe',
    iconColor: 'blue',
    subtitle: '={{ ($parameter["method"] ?? $parameter["requestMethod"]) + ": " + $parameter["url"] }}',
  },
  unsupported: unsupportedUses,
  asTool: {
    properties: httpRequestToolProperties,
    execute: (context) => request(context, readToolResponseOptions),
  },
  execute: (context) => request(context, readResponseOptions),
};

async function request(context: ExecuteContext, readOptions: ReadResponseOptions): Promise<NodeOutput> {
  const { size, intervalMs } = readBatching(context);
  const items = context.items();
  const run = runOf(context, readOptions);
  const results: Item[] = [];
  for (let start = 0; start < items.length; start += size) {
    if (start > 0 && intervalMs > 0) await pause(intervalMs, context.signal);
    for (const result of await requestBatch(run, items.slice(start, start + size), start)) {
      if (results.length + result.length > maxResponseItems) throw tooLarge();
      for (const item of result) results.push(item);
    }
  }
  return [results];
}

/** State that the requests of a node run share. */
interface RequestRun {
  context: ExecuteContext;
  readOptions: ReadResponseOptions;
  /** Also aborts when the responses together are too large. */
  signal: AbortSignal;
  /**
   * Limits the total size of all responses except files. They are kept in memory until the node
   * ends: their bytes, and the text or data that they become.
   */
  budget: ByteBudget;
}

function runOf(context: ExecuteContext, readOptions: ReadResponseOptions): RequestRun {
  const exceeded = new AbortController();
  const budget = new ByteBudget(() => exceeded.abort(tooLarge()));
  return { context, readOptions, signal: AbortSignal.any([context.signal, exceeded.signal]), budget };
}

/** Ends the node even if it may continue on errors, because its run data would exceed the limit. */
function tooLarge(): NodeOperationError {
  return new NodeOperationError(
    `the responses to all items together exceed ${maxResultBytes / 1024 / 1024} MiB or ${maxResponseItems} entries`,
    { description: 'Process the items in a loop with smaller batches, request less data, or store the responses as files' },
    'RESULT_TOO_LARGE',
  );
}

/**
 * The first failure that ends the node also aborts the requests in flight and waits until they end.
 */
async function requestBatch(run: RequestRun, batch: readonly Item[], start: number): Promise<Item[][]> {
  const failure = new AbortController();
  const signal = AbortSignal.any([run.signal, failure.signal]);
  const requests = batch.map((_, offset) =>
    itemsFor({ ...run, signal }, start + offset).catch((error) => {
      failure.abort(error);
      throw error;
    }),
  );
  await Promise.allSettled(requests);
  signal.throwIfAborted();
  return Promise.all(requests);
}

async function itemsFor({ context, readOptions, signal, budget }: RequestRun, itemIndex: number): Promise<Item[]> {
  try {
    return await requestItem({ context, itemIndex, signal, budget, options: readOptions(context, itemIndex) });
  } catch (error) {
    signal.throwIfAborted();
    return [failedRequestOrThrow(context, itemIndex, error)];
  }
}
