import type { WebhookAnswerRepository } from '@sluice/db';
import {
  type AnswerNotification,
  type ExecutionId,
  type Item,
  isJsonObject,
  isTerminal,
  type JsonObject,
  type JsonValue,
  type NodeRun,
  ownProperty,
  starterSlot,
  UnavailableError,
  untilAborted,
  type WebhookAnswer,
  type WebhookBody,
  type WebhookResponse,
} from '@sluice/domain';
import type { ExecutionNotifier, RedisWatch, Subscription } from '@sluice/queue';
import { type NoAnswerCode, NoAnswerError } from './errors.ts';

interface WorkflowResponseWaiterOptions {
  webhookAnswers: WebhookAnswerRepository;
  /** Fed by the `ended` and `answered` signals. */
  notifier: ExecutionNotifier;
  /** Wakes `notifier` when Redis is lost. */
  redis: Pick<RedisWatch, 'lost'>;
  /** Milliseconds that a request waits for its answer. */
  waitMs: number;
}

interface ResponseWait {
  /**
   * Enqueues the execution; resolves to whether that worked. Absent: it runs already, or has ended.
   */
  begin?: () => Promise<boolean>;
  /** Slot of its answer; absent: the slot of the request that started the execution. */
  slot?: number;
  /**
   * Subscribes to the parts of a streaming answer before the execution begins. Resolves to the
   * function that unsubscribes once every part sent so far has arrived.
   */
  listen?: () => Promise<() => Promise<void>>;
  /** Aborts when the client disconnects. The execution continues. */
  gone: AbortSignal;
}

/** Milliseconds between reads of the database, in case a notification is lost. */
const pollMs = 3_000;

/** Waits for the answer of a workflow while its request is open. */
export class WorkflowResponseWaiter {
  readonly #options: WorkflowResponseWaiterOptions;
  #closing = false;

  constructor(options: WorkflowResponseWaiterOptions) {
    this.#options = options;
  }

  /**
   * Resolves to the answer of an execution, or `undefined` if the client disconnects. Throws
   * `NoAnswerError`.
   */
  async waitFor(
    executionId: ExecutionId,
    response: WebhookResponse,
    { listen, ...wait }: ResponseWait,
  ): Promise<WebhookAnswer | undefined> {
    const until = performance.now() + this.#options.waitMs;
    if (!listen) return this.#waitFor(executionId, response, until, { ...wait, streams: false });
    const deadline = AbortSignal.any([AbortSignal.timeout(this.#options.waitMs), this.#options.redis.lost]);
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
    response: WebhookResponse,
    until: number,
    { begin, slot = starterSlot, gone, streams }: Omit<ResponseWait, 'listen'> & { streams: boolean },
  ): Promise<WebhookAnswer | undefined> {
    // Subscribes before each read, so no notification falls between the two.
    let subscription = this.#subscribe(executionId, until, gone);
    const nextAnswer = async () => {
      const notification = await subscription.next;
      subscription = this.#subscribe(executionId, until, gone);
      return notification?.data === undefined
        ? undefined
        : notifiedAnswer(executionId, JSON.parse(notification.data) as AnswerNotification, { response, slot });
    };
    try {
      const isQueued = (await begin?.()) ?? true;
      let notified = begin && (await nextAnswer());
      for (;;) {
        const answer = notified ?? (gone.aborted ? undefined : await this.#read(executionId, response, slot));
        if (answer || gone.aborted) return answer;
        // A client that has part of a streaming answer stays without Redis: Postgres knows how it
        // ends.
        this.#assertMayWait(executionId, until, { needsRedis: !streams || !isQueued });
        notified = await nextAnswer();
      }
    } finally {
      subscription.unsubscribe();
    }
  }

  #assertMayWait(executionId: ExecutionId, until: number, { needsRedis }: { needsRedis: boolean }): void {
    if (this.#closing) throw noAnswer('SERVICE_UNAVAILABLE', 'the service is stopping; the execution continues', executionId);
    if (needsRedis && this.#options.redis.lost.aborted)
      throw noAnswer('SERVICE_UNAVAILABLE', 'redis cannot be reached; the execution continues', executionId);
    if (performance.now() >= until) throw noAnswer('ANSWER_TIMEOUT', 'the workflow has not answered in time', executionId);
  }

  /** Answers every waiting request with `SERVICE_UNAVAILABLE`: the process stops. */
  releaseAll(): void {
    this.#closing = true;
    this.#options.notifier.releaseAll();
  }

  #subscribe(executionId: ExecutionId, until: number, gone: AbortSignal): Subscription {
    const waitMs = Math.max(1, Math.min(pollMs, until - performance.now()));
    return this.#options.notifier.subscribe(executionId, waitMs, gone);
  }

  async #read(id: ExecutionId, response: WebhookResponse, slot: number): Promise<WebhookAnswer | undefined> {
    const byLastNode = response.mode === 'lastNode';
    const progress = await this.#options.webhookAnswers
      .read(id, { lastRun: byLastNode && response.data !== 'noData', slot })
      .catch((error: unknown) => {
        if (!(error instanceof UnavailableError)) throw error;
        // Without the execution id the client would take the request for one that started nothing.
        throw noAnswer('SERVICE_UNAVAILABLE', 'the database cannot be reached; the execution continues', id);
      });
    if (!progress) throw noAnswer('EXECUTION_FAILED', 'the execution has been deleted', id);
    const { status, answer, lastRun } = progress;
    if (!byLastNode && answer) return answer;
    if (!isTerminal(status)) return undefined;
    if (status !== 'success') throw noAnswer('EXECUTION_FAILED', 'the workflow has failed', id);
    return byLastNode ? lastNodeReply(id, lastRun, response) : defaultAnswer(id);
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
 * The answer in a notification; `undefined` if it is for another request. Notifications carry
 * answers of the starter's slot only.
 */
function notifiedAnswer(
  id: ExecutionId,
  notification: AnswerNotification,
  { response, slot }: { response: WebhookResponse; slot: number },
): WebhookAnswer | undefined {
  if (response.mode === 'lastNode')
    return 'lastRun' in notification ? lastNodeReply(id, notification.lastRun, response) : undefined;
  return 'answer' in notification && slot === starterSlot ? notification.answer : undefined;
}

function lastNodeReply(id: ExecutionId, run: NodeRun | undefined, response: WebhookResponse): WebhookAnswer {
  const body = lastNodeBody(run, response);
  if (!body) throw noAnswer('NO_ANSWER', 'the last node returned no data to respond with', id);
  const { status, contentType } = response;
  return { status, headers: contentType === undefined ? {} : { 'content-type': contentType }, body };
}

/** Answer of a workflow that succeeded although none of its nodes responded. */
function defaultAnswer(executionId: ExecutionId): WebhookAnswer {
  return { status: 200, headers: {}, body: { kind: 'json', json: { message: 'Workflow executed successfully', executionId } } };
}

function noAnswer(code: NoAnswerCode, message: string, executionId: ExecutionId): NoAnswerError {
  return new NoAnswerError(code, message, executionId);
}

/**
 * The body that the output of the last node makes; `undefined` if the output has no such item,
 * field or file.
 */
function lastNodeBody(run: NodeRun | undefined, response: WebhookResponse): WebhookBody | undefined {
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
 * Items of the first output: others may hold items that a filter discards. A run without a source
 * is the webhook itself, whose items leave by the output of the request's method.
 */
function itemsOf(run: NodeRun | undefined): readonly Item[] {
  const outputs = run?.data?.['main'] ?? [];
  const isWebhook = run?.source.length === 0;
  return (isWebhook ? outputs.find((items) => items && items.length > 0) : outputs[0]) ?? [];
}

function bodyOf(json: JsonObject, { property, contentType }: WebhookResponse): WebhookBody | undefined {
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
