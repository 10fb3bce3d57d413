import type { AttemptRef, WebhookAnswers } from '@sluice/db';
import { AppError, type WebhookAnswer } from '@sluice/domain';
import { type Logger, logRejection } from '@sluice/logger';
import type { SignalChannel } from '@sluice/queue';
import type { SecretScrubber } from '@sluice/vault';
import { untilAvailable } from './until-available.ts';

export interface CallAnswersOptions {
  answers: WebhookAnswers;
  answered: SignalChannel;
  /** Of one answer, as JSON. */
  maxBytes: number;
  logger: Logger;
}

/** Hands what workflows answer to the API, which holds the calls: through the database, with a word over Redis that it is there. */
export class CallAnswers {
  readonly #options: CallAnswersOptions;

  constructor(options: CallAnswersOptions) {
    this.#options = options;
  }

  /** The first answer counts: false for every later one. Secrets that the execution has used are left out. Throws `ANSWER_TOO_LARGE`. */
  async give(ref: AttemptRef, answer: WebhookAnswer, scrubber: SecretScrubber, signal: AbortSignal): Promise<boolean> {
    const { answers, answered, maxBytes, logger } = this.#options;
    const json = scrubber.scrubJson(JSON.stringify(answer));
    if (Buffer.byteLength(json) > maxBytes)
      throw new AppError({ code: 'ANSWER_TOO_LARGE', message: `an answer may have ${maxBytes} bytes of JSON at most` });
    const isFirst = await untilAvailable(() => answers.give(ref, json), signal);
    if (isFirst) logRejection(logger, answered.publish([ref.executionId]), 'cannot tell that an execution has answered');
    return isFirst;
  }
}
