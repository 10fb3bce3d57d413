import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4ProviderTool,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import {
  type ChatMessage,
  type LanguageModel,
  type ModelChunk,
  type ModelRequest,
  type ModelResult,
  TimeSlice,
} from '@sluice/node-sdk';
import { attempted } from './attempted.ts';
import { endedEarly } from './status-error.ts';
import { toModelError } from './to-model-error.ts';
import { toCallOptions } from './to-prompt.ts';
import { toModelResult } from './to-result.ts';

/** Options of a model's node, for every call. */
export interface ModelSettings
  extends Pick<
    LanguageModelV4CallOptions,
    | 'frequencyPenalty'
    | 'maxOutputTokens'
    | 'presencePenalty'
    | 'providerOptions'
    | 'reasoning'
    | 'responseFormat'
    | 'seed'
    | 'stopSequences'
    | 'temperature'
    | 'topK'
    | 'topP'
  > {
  /** Number of retries after a transient error. */
  maxRetries: number;
  /** Tools that the provider runs itself, in addition to the tools of a request. */
  providerTools?: readonly LanguageModelV4ProviderTool[];
  /** The API accepts system messages only before all others: later ones are moved there. */
  systemFirst?: boolean;
  /** The cost in a raw response or stream event, if the provider reports it. */
  costIn?(raw: unknown): number | undefined;
}

/** Adapts a model of an AI SDK provider. */
export class SdkLanguageModel implements LanguageModel {
  readonly provider: string;
  readonly modelId: string;
  readonly #model: LanguageModelV4;
  readonly #settings: Omit<ModelSettings, 'costIn' | 'maxRetries' | 'providerTools' | 'systemFirst'>;
  readonly #maxRetries: number;
  readonly #systemFirst: boolean;
  readonly #costIn: ModelSettings['costIn'];
  readonly #providerTools: readonly LanguageModelV4ProviderTool[];

  constructor(
    model: LanguageModelV4,
    { maxRetries, systemFirst = false, costIn, providerTools = [], ...settings }: ModelSettings,
  ) {
    this.provider = model.provider;
    this.modelId = model.modelId;
    this.#model = model;
    this.#settings = settings;
    this.#maxRetries = maxRetries;
    this.#systemFirst = systemFirst;
    this.#costIn = costIn;
    this.#providerTools = providerTools;
  }

  generate(request: ModelRequest, signal: AbortSignal): Promise<ModelResult> {
    return attempted(this.#maxRetries, signal, async () => {
      const { content, finishReason, usage, response } = await this.#model.doGenerate(this.#options(request, signal));
      return toModelResult(content, finishReason, usage, this.#costIn?.(response?.body));
    });
  }

  /** Retried only until the answer starts. */
  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelChunk> {
    const { stream } = await attempted(this.#maxRetries, signal, () => this.#model.doStream(this.#options(request, signal)));
    try {
      yield* chunksOf(stream, this.#costIn);
    } catch (error) {
      signal.throwIfAborted();
      throw toModelError(error);
    }
  }

  #options(request: ModelRequest, abortSignal: AbortSignal): LanguageModelV4CallOptions {
    const { messages } = request;
    const ordered = this.#systemFirst ? { ...request, messages: withSystemFirst(messages) } : request;
    const call = toCallOptions(ordered);
    const tools = [...(call.tools ?? []), ...this.#providerTools];
    return { ...this.#settings, ...call, ...(tools.length > 0 && { tools }), includeRawChunks: true, abortSignal };
  }
}

function withSystemFirst(messages: readonly ChatMessage[]): ChatMessage[] {
  const isSystem = ({ role }: ChatMessage) => role === 'system';
  return [...messages.filter(isSystem), ...messages.filter((message) => !isSystem(message))];
}

/**
 * Yields to the event loop between parts. A library may buffer events until the first with content
 * and then emit all of them at once; their raw parts let this loop pace events without content,
 * too.
 */
async function* chunksOf(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  costIn: ModelSettings['costIn'],
): AsyncGenerator<ModelChunk> {
  const answer = new Answer();
  let cost: number | undefined;
  const slice = new TimeSlice();
  for await (const part of stream) {
    if (slice.isOver) await slice.next();
    if (part.type === 'error') throw part.error;
    if (part.type === 'raw') cost = costIn?.(part.rawValue) ?? cost;
    if (part.type === 'text-delta') yield { type: 'text', text: part.delta };
    if (part.type === 'reasoning-delta') yield { type: 'reasoning', text: part.delta };
    if (part.type === 'finish') {
      assertWhole(part.finishReason);
      yield { type: 'result', result: toModelResult(answer.content, part.finishReason, part.usage, cost) };
      return;
    }
    answer.add(part);
  }
  throw endedEarly();
}

function assertWhole({ unified }: LanguageModelV4FinishReason): void {
  if (unified === 'interrupted') throw endedEarly();
}

/** Collects the content of a streamed answer in the order in which its parts started. */
class Answer {
  readonly content: LanguageModelV4Content[] = [];
  readonly #open = new Map<string, Extract<LanguageModelV4Content, { type: 'text' | 'reasoning' }>>();

  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        this.#begin(part.id, part.type === 'text-start' ? 'text' : 'reasoning');
        break;
      case 'text-delta':
      case 'reasoning-delta': {
        const open = this.#open.get(part.id) ?? this.#begin(part.id, part.type === 'text-delta' ? 'text' : 'reasoning');
        open.text += part.delta;
        break;
      }
      case 'text-end':
      case 'reasoning-end': {
        const open = this.#open.get(part.id);
        if (open && part.providerMetadata) open.providerMetadata = part.providerMetadata;
        break;
      }
      case 'tool-call':
        this.content.push(part);
        break;
      default:
    }
  }

  #begin(id: string, type: 'text' | 'reasoning') {
    const part = { type, text: '' };
    this.#open.set(id, part);
    this.content.push(part);
    return part as Extract<LanguageModelV4Content, { type: 'text' | 'reasoning' }>;
  }
}
