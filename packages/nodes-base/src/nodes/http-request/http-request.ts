import type { ExecuteContext, Item, NodeType } from '@sluice/node-sdk';
import { failedRequestOrThrow } from '../../shared/http/failed-request.ts';
import { pause } from '../../shared/pause.ts';
import { httpRequestProperties, httpRequestVersions } from './http-request-properties.ts';
import { unsupportedUses } from './request-authentication.ts';
import { requestItem } from './request-item.ts';
import { readBatching } from './request-limits.ts';

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
  async execute(context) {
    const { size, intervalMs } = readBatching(context);
    const items = context.items();
    const results: Item[][] = [];
    for (let start = 0; start < items.length; start += size) {
      if (start > 0 && intervalMs > 0) await pause(intervalMs, context.signal);
      for (const result of await requestBatch(context, items.slice(start, start + size), start)) results.push(result);
    }
    return [results.flat()];
  },
};

/**
 * The first failure that ends the node also aborts the requests in flight and waits for their end.
 */
async function requestBatch(context: ExecuteContext, batch: readonly Item[], start: number): Promise<Item[][]> {
  const failure = new AbortController();
  const signal = AbortSignal.any([context.signal, failure.signal]);
  const requests = batch.map((_, offset) =>
    itemsFor(context, start + offset, signal).catch((error) => {
      failure.abort(error);
      throw error;
    }),
  );
  await Promise.allSettled(requests);
  failure.signal.throwIfAborted();
  return Promise.all(requests);
}

async function itemsFor(context: ExecuteContext, itemIndex: number, signal: AbortSignal): Promise<Item[]> {
  try {
    return await requestItem(context, itemIndex, signal);
  } catch (error) {
    signal.throwIfAborted();
    return [failedRequestOrThrow(context, itemIndex, error)];
  }
}
