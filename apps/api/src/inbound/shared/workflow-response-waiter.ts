import type { WebhookResponseRepository } from '@sluice/db';
import {
  type ExecutionId,
  type Item,
  isJsonObject,
  isTerminal,
  type JsonObject,
  type JsonValue,
  type NodeRun,
  ownProperty,
  type ResponseNotification,
  starterSlot,
  UnavailableError,
  untilAborted,
  type WebhookBody,
  type WebhookResponse,
  type WebhookResponseSpec,
} from '@sluice/domain';
import type { ExecutionNotifier, RedisWatch, Subscription } from '@sluice/queue';
import { type NoResponseCode, NoResponseError } from './errors.ts';

interface WorkflowResponseWaiterOptions {
  webhookResponses: WebhookResponseRepository;
  /** Fed by the `ended` and `responded` signals. */
  notifier: ExecutionNotifier;
  /** Wakes `notifier` when Redis is lost. */
  redisWatch: Pick<RedisWatch, 'lost'>;
  /** Milliseconds that a request waits for its response. */
  waitMs: number;
}

interface ResponseWait {
  /**
   * Enqueues the execution; resolves to whether that worked. Absent: it runs already, or has ended.
   */
  begin?: () => Promise<boolean>;
  /** Slot of its response; absent: the slot of the request that started the execution. */
  slot?: number;
  /**
   * Subscribes to the parts of a streaming response before the execution begins. Resolves to the
   * function that unsubscribes once every part sent so far has arrived.
   */
  listen?: () => Promise<() => Promise<void>>;
  /** Aborts when the client disconnects. The execution continues. */
  disconnected: AbortSignal;
}

/** Milliseconds between reads of the database, in case a notification is lost. */
const pollMs = 3_000;

/** Waits for the response of a workflow while its request is open. */
export class WorkflowResponseWaiter {
  readonly #options: WorkflowResponseWaiterOptions;
  #closing = false;

  constructor(options: WorkflowResponseWaiterOptions) {
    this.#options = options;
  }

  /**
   * Resolves to the response of an execution, or `undefined` if the client disconnects. Throws
   * `NoResponseError`.
   */
  async waitFor(
    executionId: ExecutionId,
    response: WebhookResponseSpec,
    { listen, ...wait }: ResponseWait,
  ): Promise<WebhookResponse | undefined> {
    const until = performance.now() + this.#options.waitMs;
    if (!listen) return this.#waitFor(executionId, response, until, { ...wait, streams: false });
    const deadline = AbortSignal.any([AbortSignal.timeout(this.#options.waitMs), this.#options.redisWatch.lost]);
    const listening = listen();
    try {
      const streams = await settlesBefore(listening, deadline);
      return await this.#waitFor(executionId, response, until, { ...wait, streams });
    } finally {
      await settlesBefore(
        listening.then((stop) => stop()),
        deadline,
      );
    }
  }

  async #waitFor(
    executionId: ExecutionId,
    response: WebhookResponseSpec,
    until: number,
    { begin, slot = starterSlot, disconnected, streams }: Omit<ResponseWait, 'listen'> & { streams: boolean },
  ): Promise<WebhookResponse | undefined> {
    // Subscribes before each read, so no notification falls between the two.
    let subscription = this.#subscribe(executionId, until, disconnected);
    const nextNotification = async () => {
      const notification = await subscription.next;
      subscription = this.#subscribe(executionId, until, disconnected);
      return notification?.data === undefined
        ? undefined
        : notifiedResponse(executionId, JSON.parse(notification.data) as ResponseNotification, { response, slot });
    };
    try {
      const isQueued = (await begin?.()) ?? true;
      let notified = begin && (await nextNotification());
      for (;;) {
        const webhookResponse = notified ?? (disconnected.aborted ? undefined : await this.#read(executionId, response, slot));
        if (webhookResponse || disconnected.aborted) return webhookResponse;
        // A client that has received part of a streaming response keeps waiting without Redis:
        // Postgres has its end.
        this.#assertMayWait(executionId, until, { needsRedis: !streams || !isQueued });
        notified = await nextNotification();
      }
    } finally {
      subscription.unsubscribe();
    }
  }

  #assertMayWait(executionId: ExecutionId, until: number, { needsRedis }: { needsRedis: boolean }): void {
    if (this.#closing) throw noResponse('SERVICE_UNAVAILABLE', 'the service is stopping; the execution continues', executionId);
    if (needsRedis && this.#options.redisWatch.lost.aborted)
      throw noResponse('SERVICE_UNAVAILABLE', 'redis cannot be reached; the execution continues', executionId);
    if (performance.now() >= until) throw noResponse('ANSWER_TIMEOUT', 'the workflow did not respond in time', executionId);
  }

  /** Rejects every waiting request with `SERVICE_UNAVAILABLE`: the process stops. */
  releaseAll(): void {
    this.#closing = true;
    this.#options.notifier.releaseAll();
  }

  #subscribe(executionId: ExecutionId, until: number, disconnected: AbortSignal): Subscription {
    const waitMs = Math.max(1, Math.min(pollMs, until - performance.now()));
    return this.#options.notifier.subscribe(executionId, waitMs, disconnected);
  }

  async #read(id: ExecutionId, response: WebhookResponseSpec, slot: number): Promise<WebhookResponse | undefined> {
    const byLastNode = response.mode === 'lastNode';
    const progress = await this.#options.webhookResponses
      .read(id, { lastRun: byLastNode && response.data !== 'noData', slot })
      .catch((error: unknown) => {
        if (!(error instanceof UnavailableError)) throw error;
        // Without the execution ID, the client would assume that the request started nothing.
        throw noResponse('SERVICE_UNAVAILABLE', 'the database cannot be reached; the execution continues', id);
      });
    if (!progress) throw noResponse('EXECUTION_FAILED', 'the execution has been deleted', id);
    const { status, response: stored, lastRun, isSkipped } = progress;
    if (!byLastNode && stored) return stored;
    if (!isTerminal(status)) return undefined;
    if (isSkipped) throw noResponse('CONCURRENCY_LIMIT', 'skipped: the workflow has reached its concurrency limit', id);
    if (status !== 'success') throw noResponse('EXECUTION_FAILED', 'the workflow has failed', id);
    return byLastNode ? lastNodeResponse(id, lastRun, response) : defaultResponse(id, response);
  }
}

/** Resolves to whether `work` is fulfilled before the deadline; never rejects. */
async function settlesBefore(work: Promise<unknown>, deadline: AbortSignal): Promise<boolean> {
  return untilAborted(work, deadline).then(
    () => true,
    () => false,
  );
}

/**
 * The response in a notification; `undefined` if it is for another request. Notifications carry
 * responses of the starter's slot only.
 */
function notifiedResponse(
  id: ExecutionId,
  notification: ResponseNotification,
  { response, slot }: { response: WebhookResponseSpec; slot: number },
): WebhookResponse | undefined {
  if (response.mode === 'lastNode')
    return 'lastRun' in notification ? lastNodeResponse(id, notification.lastRun, response) : undefined;
  return 'response' in notification && slot === starterSlot ? notification.response : undefined;
}

function lastNodeResponse(id: ExecutionId, run: NodeRun | undefined, response: WebhookResponseSpec): WebhookResponse {
  const body = lastNodeBody(run, response);
  if (!body) throw noResponse('NO_ANSWER', 'the last node returned no data to respond with', id);
  const { status, contentType } = response;
  return { status, headers: contentType === undefined ? {} : { 'content-type': contentType }, body };
}

/** Response if no node responds: to a received request, or after the workflow has succeeded. */
export function defaultResponse(
  executionId: ExecutionId,
  { mode, status, body, withoutBody }: WebhookResponseSpec,
): WebhookResponse {
  const messageBody = (message: string): WebhookBody => ({ kind: 'json', json: { message, executionId } });
  if (mode !== 'onReceived') return { status: 200, headers: {}, body: messageBody('Workflow executed successfully') };
  if (withoutBody) return { status, headers: {}, body: { kind: 'none' } };
  return { status, headers: {}, body: body === undefined ? messageBody('Workflow was started') : { kind: 'text', text: body } };
}

function noResponse(code: NoResponseCode, message: string, executionId: ExecutionId): NoResponseError {
  return new NoResponseError(code, message, executionId);
}

/**
 * The body from the output of the last node; `undefined` if the output has no such item, field or
 * file.
 */
function lastNodeBody(run: NodeRun | undefined, response: WebhookResponseSpec): WebhookBody | undefined {
  const items = itemsOf(run);
  switch (response.data) {
    case 'noData':
      return { kind: 'none' };
    case 'allEntries':
      return run?.truncated ? undefined : { kind: 'json', json: items.map(({ json }) => json) };
    case 'firstEntryJson':
      return items[0] && bodyOf(items[0].json, response);
    case 'firstEntryBinary': {
      const file = ownProperty(items[0]?.binary ?? {}, response.binaryProperty ?? 'data');
      return file && { kind: 'file', file };
    }
  }
}

/**
 * Items of the first output: other outputs may contain items that a filter discards. A run without
 * a source is the webhook itself, whose items leave by the output of the request's method.
 */
function itemsOf(run: NodeRun | undefined): readonly Item[] {
  const outputs = run?.data?.['main'] ?? [];
  const isWebhook = run?.source.length === 0;
  return (isWebhook ? outputs.find((items) => items && items.length > 0) : outputs[0]) ?? [];
}

function bodyOf(json: JsonObject, { property, contentType }: WebhookResponseSpec): WebhookBody | undefined {
  const value = property === undefined ? json : fieldOf(json, property);
  if (value === undefined) return undefined;
  if (contentType === undefined) return { kind: 'json', json: value };
  return { kind: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) };
}

function fieldOf(json: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = json;
  for (const key of path.split('.')) {
    if (!isJsonObject(value) && !Array.isArray(value)) return undefined;
    value = ownProperty(value as JsonObject, key);
  }
  return value;
}
