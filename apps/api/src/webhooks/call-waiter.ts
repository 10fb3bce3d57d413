import type { WebhookAnswers } from '@sluice/db';
import {
  type ExecutionId,
  isTerminal,
  type NodeRun,
  untilAborted,
  type WebhookAnswer,
  type WebhookResponse,
} from '@sluice/domain';
import type { EndedWaiter } from '@sluice/queue';
import { type NoAnswerCode, NoAnswerError } from './errors.ts';
import { lastNodeAnswer } from './last-node-answer.ts';

export interface CallWaiterOptions {
  answers: WebhookAnswers;
  /** Fed by the channels of what has ended, and of what has answered. */
  news: EndedWaiter;
  /** Milliseconds that a call waits for its answer. */
  waitMs: number;
}

export interface CallWaiting {
  /** Lets the execution run; absent: it runs already, or has ended. */
  begin?: () => Promise<unknown>;
  /** Attempt of the wait that the call has ended; absent: it has started the execution. */
  toWait?: number;
  /** Takes the parts of an answer that streams, from when it resolves on; what it answers ends that, once all that was sent before has been taken. */
  listen?: () => Promise<() => Promise<void>>;
  /** Fires when nobody waits any more. The execution goes on. */
  gone: AbortSignal;
}

/** Milliseconds after which the database is asked all the same: a message may be lost. */
const lookAgainMs = 3_000;

/** Waits for the answers of workflows, for calls that stay on the line. */
export class CallWaiter {
  readonly #options: CallWaiterOptions;
  #closing = false;

  constructor(options: CallWaiterOptions) {
    this.#options = options;
  }

  /** The answer of an execution; `undefined` where nobody waits any more. Throws `NoAnswerError`. */
  async answerOf(
    executionId: ExecutionId,
    response: WebhookResponse,
    { listen, ...waiting }: CallWaiting,
  ): Promise<WebhookAnswer | undefined> {
    const until = performance.now() + this.#options.waitMs;
    if (!listen) return this.#answerOf(executionId, response, until, waiting);
    const deadline = AbortSignal.timeout(this.#options.waitMs);
    const listening = listen();
    try {
      await within(listening, deadline);
      return await this.#answerOf(executionId, response, until, waiting);
    } finally {
      await within(
        listening.then((stop) => stop()),
        deadline,
      );
    }
  }

  async #answerOf(
    executionId: ExecutionId,
    response: WebhookResponse,
    until: number,
    { begin, toWait, gone }: CallWaiting,
  ): Promise<WebhookAnswer | undefined> {
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, gone]);
    try {
      // Listens from before each look on, so that nothing happens in between.
      if (begin) {
        const news = this.#listen(executionId, until, signal);
        await begin();
        await news;
      }
      for (;;) {
        const news = this.#listen(executionId, until, signal);
        const answer = gone.aborted ? undefined : await this.#read(executionId, response, toWait);
        if (answer || gone.aborted) return answer;
        if (this.#closing) throw noAnswer('SERVICE_UNAVAILABLE', 'the service stops; the execution goes on', executionId);
        if (performance.now() >= until) throw noAnswer('ANSWER_TIMEOUT', 'the workflow has not answered in time', executionId);
        await news;
      }
    } finally {
      over.abort();
    }
  }

  /** Lets every caller go: the process stops. */
  releaseAll(): void {
    this.#closing = true;
    this.#options.news.releaseAll();
  }

  #listen(executionId: ExecutionId, until: number, signal: AbortSignal): Promise<boolean> {
    const waitMs = Math.max(1, Math.min(lookAgainMs, until - performance.now()));
    return this.#options.news.wait(executionId, waitMs, signal);
  }

  async #read(id: ExecutionId, response: WebhookResponse, toWait: number | undefined): Promise<WebhookAnswer | undefined> {
    const byLastNode = response.mode === 'lastNode';
    const progress = await this.#options.answers.read(id, { lastRun: byLastNode && response.data !== 'noData', toWait });
    if (!progress) throw noAnswer('EXECUTION_FAILED', 'the execution has been deleted', id);
    const { status, answer, lastRun } = progress;
    if (!byLastNode && answer) return answer;
    if (!isTerminal(status)) return undefined;
    if (status !== 'success') throw noAnswer('EXECUTION_FAILED', 'the workflow has failed', id);
    return byLastNode ? lastNodeReply(id, lastRun, response) : unanswered(id);
  }
}

/** Until then at most, and whatever comes of it. */
async function within(work: Promise<unknown>, deadline: AbortSignal): Promise<void> {
  await untilAborted(work, deadline).catch(() => undefined);
}

function lastNodeReply(id: ExecutionId, run: NodeRun | undefined, response: WebhookResponse): WebhookAnswer {
  const body = lastNodeAnswer(run, response);
  if (!body) throw noAnswer('NO_ANSWER', 'the last node has given nothing that could be the answer', id);
  const { status, contentType } = response;
  return { status, headers: contentType === undefined ? {} : { 'content-type': contentType }, body };
}

/** What a workflow answers that was to say something, and has ended well without. */
function unanswered(executionId: ExecutionId): WebhookAnswer {
  return { status: 200, headers: {}, body: { kind: 'json', json: { message: 'Workflow executed successfully', executionId } } };
}

function noAnswer(code: NoAnswerCode, message: string, executionId: ExecutionId): NoAnswerError {
  return new NoAnswerError(code, message, executionId);
}
