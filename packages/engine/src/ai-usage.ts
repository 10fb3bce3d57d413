import { type JsonObject, type JsonValue, type NodeRun, type NodeRunRecord, ownProperty } from '@sluice/domain';
import type { TokenUsage } from '@sluice/node-sdk';
import { AiLimitError } from './errors.ts';
import type { AiLimits, ModelPrice } from './ports.ts';

/** A call of a model or a tool. */
export type CallKind = 'model' | 'tool';

/** The recorded part of the usage of an answer. */
export interface RecordedUsage {
  usage?: JsonObject;
  /** In USD; absent if it is not known. */
  cost?: number;
}

/**
 * Counts what the AI nodes of an execution use, and refuses calls beyond its limits. Continues with
 * the counts of recorded runs: a wait or a crash does not reset them.
 */
export class AiUsage {
  readonly #limits: AiLimits | undefined;
  readonly #used = { modelCalls: 0, toolCalls: 0, tokens: 0, cost: 0 };

  constructor(limits: AiLimits | undefined, done: readonly NodeRunRecord[]) {
    this.#limits = limits;
    for (const { run } of done) this.#addRecorded(run);
  }

  /** Counts a call before it starts. Throws `AI_LIMIT_REACHED`. */
  start(kind: CallKind, nodeName: string): void {
    if (kind === 'model') this.#used.modelCalls += 1;
    else this.#used.toolCalls += 1;
    if (!this.#limits) return;
    const { maxModelCalls, maxToolCalls, maxTokens, maxCostUsd } = this.#limits;
    const { modelCalls, toolCalls, tokens, cost } = this.#used;
    if (modelCalls > maxModelCalls) throw new AiLimitError(nodeName, 'modelCalls', maxModelCalls);
    if (toolCalls > maxToolCalls) throw new AiLimitError(nodeName, 'toolCalls', maxToolCalls);
    if (kind === 'model' && tokens >= maxTokens) throw new AiLimitError(nodeName, 'tokens', maxTokens);
    if (kind === 'model' && cost >= maxCostUsd) throw new AiLimitError(nodeName, 'cost', maxCostUsd);
  }

  /** Counts the tokens and the cost of an answer. The cost is what the provider reports, or follows from the prices. */
  add(model: string | undefined, { cost: reported, ...usage }: TokenUsage): RecordedUsage {
    const cost = reported ?? this.#costOf(model, usage);
    this.#used.tokens += counted(tokensOf(usage));
    this.#used.cost += counted(cost ?? 0);
    return { usage: { ...usage }, ...(cost !== undefined && { cost }) };
  }

  #costOf(model: string | undefined, { inputTokens = 0, outputTokens = 0 }: TokenUsage): number | undefined {
    const price = model === undefined ? undefined : priceOf(model, this.#limits?.prices ?? []);
    return price && (inputTokens * price.input + outputTokens * price.output) / 1_000_000;
  }

  #addRecorded({ metadata = {}, inputOverride = {} }: NodeRun): void {
    if (typeof metadata['use'] === 'string') {
      if ('ai_languageModel' in inputOverride) this.#used.modelCalls += 1;
      if ('ai_tool' in inputOverride) this.#used.toolCalls += 1;
      this.#addNumbers(metadata);
    }
    const { models } = metadata;
    for (const model of Array.isArray(models) ? models : []) {
      this.#used.modelCalls += numberIn(model, 'calls');
      this.#addNumbers(model);
    }
  }

  #addNumbers(recorded: JsonValue): void {
    const usage = memberOf(recorded, 'usage');
    this.#used.tokens += counted(tokensOf((usage ?? {}) as TokenUsage));
    this.#used.cost += counted(numberIn(recorded, 'cost'));
  }
}

/** The price of a model: by its name, or by the longest beginning that fits. */
function priceOf(model: string, prices: readonly ModelPrice[]): ModelPrice | undefined {
  const fits = ({ model: name }: ModelPrice) => (name.endsWith('*') ? model.startsWith(name.slice(0, -1)) : name === model);
  const rank = ({ model: name }: ModelPrice) => (name.endsWith('*') ? name.length : Number.POSITIVE_INFINITY);
  return prices.filter(fits).sort((a, b) => rank(b) - rank(a))[0];
}

/** Providers that members name report usage; less than nothing would raise the limits. */
function counted(amount: number): number {
  return amount > 0 ? amount : 0;
}

function tokensOf({ totalTokens, inputTokens = 0, outputTokens = 0 }: TokenUsage): number {
  return totalTokens ?? inputTokens + outputTokens;
}

function memberOf(value: JsonValue, name: string): JsonValue | undefined {
  return typeof value === 'object' && value !== null ? ownProperty(value as JsonObject, name) : undefined;
}

function numberIn(value: JsonValue, name: string): number {
  const number = memberOf(value, name);
  return typeof number === 'number' ? number : 0;
}
