import type { AttemptRef, ExecutionWaits, WebhookAnswers } from '@sluice/db';
import {
  type AnswerKind,
  AppError,
  answerSlot,
  maxCallNews,
  starterSlot,
  stringifyJson,
  type WebhookAnswer,
} from '@sluice/domain';
import { type Logger, logRejection } from '@sluice/logger';
import type { SignalChannel } from '@sluice/queue';
import type { SecretScrubber } from '@sluice/vault';
import { untilAvailable } from './until-available.ts';

export interface CallAnswersOptions {
  answers: WebhookAnswers;
  waits: Pick<ExecutionWaits, 'listCalls'>;
  answered: SignalChannel;
  /** Of one answer, as JSON. */
  maxBytes: number;
  logger: Logger;
}

/** Hands what workflows answer to the API, which holds the calls: through the database, with a word over Redis that it is there, or what it is. */
export class CallAnswers {
  readonly #options: CallAnswersOptions;

  constructor(options: CallAnswersOptions) {
    this.#options = options;
  }

  /**
   * The first answer to who it is for counts: false for every later one. Secrets that the execution has used are left out. `startedByForm`: whether a form has
   * started it. Throws `ANSWER_TOO_LARGE`.
   */
  async give(
    { startedByForm, ...ref }: AttemptRef & Pick<AnswerKind, 'startedByForm'>,
    answer: WebhookAnswer,
    scrubber: SecretScrubber,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { answers, answered, maxBytes, logger } = this.#options;
    const json = await scrubber.scrubJson(await stringifyJson(answer, signal), signal);
    if (Buffer.byteLength(json) > maxBytes)
      throw new AppError({ code: 'ANSWER_TOO_LARGE', message: `an answer may have ${maxBytes} bytes of JSON at most` });
    const kind = { endsForm: answer.endsForm === true, startedByForm };
    const isFirst = await untilAvailable(async () => answers.give(ref, json, await this.#slotOf(ref, kind)), signal);
    if (!isFirst) return false;
    // Before the first wait, whoever has started the execution is the only one that can be meant.
    const told = ref.attempt === 1 && json.length <= maxCallNews;
    const sent = told ? answered.tell(ref.executionId, `{"answer":${json}}`) : answered.publish([ref.executionId]);
    logRejection(logger, sent, 'cannot tell that an execution has answered');
    return true;
  }

  /** Nobody can end a wait while an attempt runs, so it stays the one until the answer is stored. */
  async #slotOf({ executionId, attempt }: AttemptRef, kind: AnswerKind): Promise<number> {
    return attempt === 1 ? starterSlot : answerSlot(await this.#options.waits.listCalls(executionId), kind);
  }
}
