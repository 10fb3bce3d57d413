import type { WebhookAnswers } from '@sluice/db';
import {
  type CallNews,
  type ExecutionId,
  isTerminal,
  type NodeRun,
  starterSlot,
  UnavailableError,
  untilAborted,
  type WebhookAnswer,
  type WebhookResponse,
} from '@sluice/domain';
import type { EndedWaiter, Listening, RedisWatch } from '@sluice/queue';
import { type NoAnswerCode, NoAnswerError } from './errors.ts';
import { lastNodeAnswer } from './last-node-answer.ts';

export interface CallWaiterOptions {
  answers: WebhookAnswers;
  /** Fed by the channels of what has ended, and of what has answered. */
  news: EndedWaiter;
  /** Wakes `news` when it is lost. */
  redis: Pick<RedisWatch, 'lost'>;
  /** Milliseconds that a call waits for its answer. */
  waitMs: number;
}

export interface CallWaiting {
  /** Lets the execution run, if it can now; absent: it runs already, or has ended. */
  begin?: () => Promise<boolean>;
  /** Where its answers are; absent: it has started the execution. */
  slot?: number;
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
    if (!listen) return this.#answerOf(executionId, response, until, { ...waiting, streams: false });
    const deadline = AbortSignal.any([AbortSignal.timeout(this.#options.waitMs), this.#options.redis.lost]);
    const listening = listen();
    try {
      const streams = await within(listening, deadline);
      return await this.#answerOf(executionId, response, until, { ...waiting, streams });
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
    { begin, slot = starterSlot, gone, streams }: Omit<CallWaiting, 'listen'> & { streams: boolean },
  ): Promise<WebhookAnswer | undefined> {
    // Listens from before each look on, so that nothing happens in between.
    let listening = this.#listen(executionId, until, gone);
    const hear = async () => {
      const heard = await listening.heard;
      listening = this.#listen(executionId, until, gone);
      return heard?.told === undefined
        ? undefined
        : toldAnswer(executionId, JSON.parse(heard.told) as CallNews, { response, slot });
    };
    try {
      const begun = (await begin?.()) ?? true;
      let told = begin && (await hear());
      for (;;) {
        const answer = told ?? (gone.aborted ? undefined : await this.#read(executionId, response, slot));
        if (answer || gone.aborted) return answer;
        // Whoever has a part of the answer already is told how it ends, which Postgres knows.
        this.#assertMayWait(executionId, until, { needsRedis: !streams || !begun });
        told = await hear();
      }
    } finally {
      listening.stop();
    }
  }

  #assertMayWait(executionId: ExecutionId, until: number, { needsRedis }: { needsRedis: boolean }): void {
    if (this.#closing) throw noAnswer('SERVICE_UNAVAILABLE', 'the service stops; the execution goes on', executionId);
    if (needsRedis && this.#options.redis.lost.aborted)
      throw noAnswer('SERVICE_UNAVAILABLE', 'redis cannot be reached; the execution is kept, and goes on', executionId);
    if (performance.now() >= until) throw noAnswer('ANSWER_TIMEOUT', 'the workflow has not answered in time', executionId);
  }

  /** Lets every caller go: the process stops. */
  releaseAll(): void {
    this.#closing = true;
    this.#options.news.releaseAll();
  }

  #listen(executionId: ExecutionId, until: number, gone: AbortSignal): Listening {
    const waitMs = Math.max(1, Math.min(lookAgainMs, until - performance.now()));
    return this.#options.news.listen(executionId, waitMs, gone);
  }

  async #read(id: ExecutionId, response: WebhookResponse, slot: number): Promise<WebhookAnswer | undefined> {
    const byLastNode = response.mode === 'lastNode';
    const progress = await this.#options.answers
      .read(id, { lastRun: byLastNode && response.data !== 'noData', slot })
      .catch((error: unknown) => {
        if (!(error instanceof UnavailableError)) throw error;
        // The caller is not to take it for a call that has started nothing.
        throw noAnswer('SERVICE_UNAVAILABLE', 'the database cannot be reached; the execution is kept, and goes on', id);
      });
    if (!progress) throw noAnswer('EXECUTION_FAILED', 'the execution has been deleted', id);
    const { status, answer, lastRun } = progress;
    if (!byLastNode && answer) return answer;
    if (!isTerminal(status)) return undefined;
    if (status !== 'success') throw noAnswer('EXECUTION_FAILED', 'the workflow has failed', id);
    return byLastNode ? lastNodeReply(id, lastRun, response) : unanswered(id);
  }
}

/** Until then at most, and whatever comes of it. Resolves to whether it is done. */
async function within(work: Promise<unknown>, deadline: AbortSignal): Promise<boolean> {
  return untilAborted(work, deadline).then(
    () => true,
    () => false,
  );
}

/** `undefined`: not what this call waits for. Answers are told of the starter's alone. */
function toldAnswer(
  id: ExecutionId,
  news: CallNews,
  { response, slot }: { response: WebhookResponse; slot: number },
): WebhookAnswer | undefined {
  if (response.mode === 'lastNode') return 'lastRun' in news ? lastNodeReply(id, news.lastRun, response) : undefined;
  return 'answer' in news && slot === starterSlot ? news.answer : undefined;
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
