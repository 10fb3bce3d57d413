import { type Item, isJsonObject, type JsonObject, type ListenContext, type NodeType } from '@sluice/node-sdk';
import { emitPatiently } from '../../shared/listening/emit-patiently.ts';
import { settledWithin } from '../../shared/listening/settled-within.ts';
import { requiredText } from '../../shared/parameters.ts';
import { parsedOrText } from '../../shared/parsed-or-text.ts';
import { text } from '../../shared/properties.ts';
import type { SseEvent } from './event-parser.ts';
import { followEvents } from './follow-events.ts';

/** Starts with each event in a stream of server-sent events. */
export const sseTrigger: NodeType = {
  description: {
    displayName: 'SSE Trigger',
    name: 'sse-trigger',
    group: ['trigger'],
    version: 1,
    description:
      'Starts the workflow with each server-sent event from a URL. On reconnection, it sends the ID of the last event whose execution is committed (`Last-Event-ID`), so the server can continue after it',
    defaults: { name: 'SSE Trigger' },
    inputs: [],
    outputs: ['main'],
    properties: [text('url', 'URL', 'URL of the stream: absolute, http or https', { required: true })],
    icon: 'fa:cloud-download-alt',
    iconColor: 'blue',
    subtitle: '={{ $parameter["url"] }}',
  },
  execute: (context) => [[...context.items()]],
  async trigger(context) {
    const url = requiredText(context, 'url', 0).trim();
    const ending = new AbortController();
    const signal = AbortSignal.any([ending.signal, context.signal]);
    const opened = Promise.withResolvers<void>();
    const following = followEvents(context.http, {
      url,
      signal,
      lastEventId: lastEventIdIn(context.cursor),
      onOpen: opened.resolve,
      onEvent: (event) => takeEvent(context, event),
    });
    following.catch((error: unknown) => {
      opened.reject(error);
      if (!signal.aborted) context.failed(error);
    });
    await opened.promise;
    return {
      async close() {
        ending.abort(new Error('the listener was closed'));
        await settledWithin(following);
      },
    };
  },
};

function lastEventIdIn(cursor: Readonly<JsonObject> | undefined): string {
  const id = cursor?.['lastEventId'];
  return typeof id === 'string' ? id : '';
}

async function takeEvent(context: ListenContext, event: SseEvent): Promise<void> {
  const cursor = event.lastEventId === '' ? {} : { cursor: { lastEventId: event.lastEventId } };
  await emitPatiently(context, [await itemOf(event)], cursor);
}

/** The event's data if it is an object; other data becomes the field `data`. */
async function itemOf({ data }: SseEvent): Promise<Item> {
  const value = await parsedOrText(data);
  return { json: isJsonObject(value) ? value : { data: value } };
}
