import {
  type JsonObject,
  type LanguageModel,
  type ModelChunk,
  ModelError,
  type ModelRequest,
  type ModelResult,
} from '@sluice/node-sdk';
import { stringOf } from '@sluice/nodes-base/node-tools';
import { attempted } from './attempted.ts';
import { BedrockAnswer, bedrockResult } from './bedrock-answer.ts';
import { type BedrockAccess, callBedrock, objectIn } from './bedrock-call.ts';
import { boundedResponse } from './bounded-answer.ts';
import { type StreamMessage, streamMessages } from './event-stream.ts';
import { failureOf, shortened } from './status-error.ts';
import { toBedrockRequest } from './to-bedrock-request.ts';
import { toModelError } from './to-model-error.ts';

interface BedrockSettings extends BedrockAccess {
  /** `inferenceConfig` of the request. */
  inference: JsonObject;
}

/**
 * An Amazon Bedrock model, called through the Converse API. The AI SDK's provider would sign
 * requests itself, with a key that only the vault may read.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
export class BedrockModel implements LanguageModel {
  readonly provider = 'bedrock';
  readonly modelId: string;
  readonly #settings: BedrockSettings;

  constructor(settings: BedrockSettings) {
    this.modelId = settings.modelId;
    this.#settings = settings;
  }

  generate(request: ModelRequest, signal: AbortSignal): Promise<ModelResult> {
    return attempted(this.#settings.maxRetries, signal, async () => {
      const response = await this.#send(request, 'converse', signal);
      return bedrockResult(await objectIn(await boundedResponse(response).text()));
    });
  }

  /** Retried only until the answer starts. */
  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelChunk> {
    const { maxRetries } = this.#settings;
    const response = await attempted(maxRetries, signal, () => this.#send(request, 'converse-stream', signal));
    try {
      yield* chunksOf(response);
    } catch (error) {
      signal.throwIfAborted();
      throw toModelError(error);
    }
  }

  #send(request: ModelRequest, operation: string, signal: AbortSignal): Promise<Response> {
    const { inference } = this.#settings;
    const body = {
      ...toBedrockRequest(request),
      ...(Object.keys(inference).length > 0 && { inferenceConfig: inference }),
    };
    return callBedrock(this.#settings, operation, body, signal);
  }
}

async function* chunksOf({ body }: Response): AsyncGenerator<ModelChunk> {
  const answer = new BedrockAnswer();
  for await (const message of streamMessages(body ?? emptyBody())) {
    await assertEvent(message);
    const payload = await payloadOf(message);
    const chunk = answer.add(message.headers.get(':event-type') ?? '', payload);
    if (chunk) yield chunk;
  }
  yield { type: 'result', result: await answer.result() };
}

const payloadOf = ({ payload }: StreamMessage): Promise<JsonObject> => objectIn(Buffer.from(payload).toString('utf8'));

async function* emptyBody(): AsyncGenerator<Uint8Array> {}

/** Exception that may end a stream → HTTP status. */
const exceptions: ReadonlyMap<string, number> = new Map([
  ['throttlingException', 429],
  ['validationException', 400],
  ['internalServerException', 500],
  ['modelStreamErrorException', 500],
  ['serviceUnavailableException', 503],
]);

/** Throws the error that a message reports in its payload, or only in its headers. */
async function assertEvent(reported: StreamMessage): Promise<void> {
  const { headers } = reported;
  if (headers.get(':message-type') === 'event') return;
  const payload = await payloadOf(reported).catch((): JsonObject => ({}));
  const name = headers.get(':exception-type') ?? headers.get(':error-code') ?? '';
  const message = shortened(stringOf(payload['message'] ?? headers.get(':error-message') ?? name));
  const status = exceptions.get(name) ?? 500;
  throw new ModelError(failureOf(status, `${name} ${message}`), `the provider ended its answer: ${message}`, {
    details: { status, code: name },
  });
}
