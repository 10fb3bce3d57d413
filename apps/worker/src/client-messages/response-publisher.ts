import type { AttemptRef, ExecutionWaitRepository, WebhookResponseRepository } from '@sluice/db';
import {
  AppError,
  maxNotificationLength,
  type ResponseKind,
  responseSlot,
  starterSlot,
  stringifyJson,
  untilAvailable,
  type WebhookResponse,
} from '@sluice/domain';
import { type Logger, logRejection } from '@sluice/logger';
import type { SignalChannel } from '@sluice/queue';
import type { SecretScrubber } from '@sluice/vault';

interface ResponsePublisherOptions {
  webhookResponses: WebhookResponseRepository;
  executionWaits: Pick<ExecutionWaitRepository, 'listRequestWaits'>;
  responded: SignalChannel;
  /** Maximum size of one response, as JSON. */
  maxBytes: number;
  logger: Logger;
}

/**
 * Passes responses of workflows to the API, which holds the requests: through the database, with a
 * notification over Redis that contains a small response.
 */
export class ResponsePublisher {
  readonly #options: ResponsePublisherOptions;

  constructor(options: ResponsePublisherOptions) {
    this.#options = options;
  }

  /**
   * Stores the first response of a slot, without the execution's secrets; returns false for every
   * later response. `startedByForm`: whether a form started it. Throws `ANSWER_TOO_LARGE`.
   */
  async publish(
    { startedByForm, ...ref }: AttemptRef & Pick<ResponseKind, 'startedByForm'>,
    response: WebhookResponse,
    scrubber: SecretScrubber,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { webhookResponses, responded, maxBytes, logger } = this.#options;
    const json = await scrubber.scrubJson(await stringifyJson(response, { signal }), signal);
    if (Buffer.byteLength(json) > maxBytes)
      throw new AppError({
        code: 'ANSWER_TOO_LARGE',
        message: `the JSON of the response exceeds the limit of ${maxBytes} bytes`,
      });
    const kind = { endsForm: response.endsForm === true, startedByForm };
    const isFirst = await untilAvailable(async () => webhookResponses.store(ref, json, await this.#slotOf(ref, kind)), signal);
    if (!isFirst) return false;
    // Before the first wait, the response can only belong to the request that started the
    // execution.
    const isSmall = ref.attempt === 1 && json.length <= maxNotificationLength;
    const sent = isSmall
      ? responded.publishWith(ref.executionId, `{"response":${json}}`)
      : responded.publish([ref.executionId]);
    logRejection(logger, sent, 'cannot notify of a response');
    return true;
  }

  /**
   * No wait can end while an attempt runs, so the slot stays the same until the response is stored.
   */
  async #slotOf({ executionId, attempt }: AttemptRef, kind: ResponseKind): Promise<number> {
    return attempt === 1 ? starterSlot : responseSlot(await this.#options.executionWaits.listRequestWaits(executionId), kind);
  }
}
