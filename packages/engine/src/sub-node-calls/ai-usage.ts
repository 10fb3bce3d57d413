import { type AiCounts, type JsonObject, type JsonValue, memberOf, type NodeRun } from '@sluice/domain';
import type { TokenUsage } from '@sluice/node-sdk';
import { AiLimitError } from '../errors.ts';
import type { AiLimits, ModelPrice, RunRequest } from '../ports.ts';

const nothing: AiCounts = { modelCalls: 0, toolCalls: 0, tokens: 0, cost: 0 };

/** A model call or a tool call. */
export type CallKind = 'modelCalls' | 'toolCalls';

/** The recorded part of a response's usage. */
export interface RecordedUsage {
  usage?: JsonObject;
  /** In USD; absent if unknown. */
  cost?: number;
}

/**
 * Counts the usage of an execution's AI nodes, together with all executions that share its limits,
 * and refuses calls beyond the limits. Continues with the counts of recorded runs: a wait or a
 * crash does not reset them.
 */
export class AiUsage {
  readonly #limits: AiLimits | undefined;
  readonly #shared: RunRequest['countAi'];
  /** Usage of this execution. */
  readonly #used: AiCounts = { ...nothing };
  /** Usage of recorded runs, and calls in progress when the execution was suspended. */
  readonly #before: AiCounts;
  /** Calls in progress at the suspension that have not started again. */
  readonly #open: Record<CallKind, number>;
  #counted: Promise<unknown> = Promise.resolve();

  constructor({ aiLimits, done, resumed, countAi }: Pick<RunRequest, 'aiLimits' | 'done' | 'resumed' | 'countAi'>) {
    this.#limits = aiLimits;
    this.#shared = aiLimits && countAi;
    this.#open = { modelCalls: 0, toolCalls: 0, ...resumed?.counted };
    for (const { run } of done) this.#addRecorded(run);
    this.#used.modelCalls += this.#open.modelCalls;
    this.#used.toolCalls += this.#open.toolCalls;
    this.#before = { ...this.#used };
  }

  /** Counts a call before it starts. Throws `AI_LIMIT_REACHED`. */
  async start(kind: CallKind, nodeName: string): Promise<void> {
    if (this.#open[kind] > 0) {
      this.#open[kind] -= 1;
      return;
    }
    const used = await this.#count({ ...nothing, [kind]: 1 });
    if (!this.#limits) return;
    const { maxModelCalls, maxToolCalls, maxTokens, maxCostUsd } = this.#limits;
    const { modelCalls, toolCalls, tokens, cost } = used;
    if (modelCalls > maxModelCalls) throw new AiLimitError(nodeName, 'modelCalls', maxModelCalls);
    if (toolCalls > maxToolCalls) throw new AiLimitError(nodeName, 'toolCalls', maxToolCalls);
    if (kind === 'modelCalls' && tokens >= maxTokens) throw new AiLimitError(nodeName, 'tokens', maxTokens);
    if (kind === 'modelCalls' && cost >= maxCostUsd) throw new AiLimitError(nodeName, 'cost', maxCostUsd);
  }

  /**
   * Counts a response's tokens and cost. The cost is reported by the provider or computed from the
   * prices.
   */
  async add(model: string | undefined, { cost: reported, ...usage }: TokenUsage): Promise<RecordedUsage> {
    const cost = reported ?? this.#costOf(model, usage);
    const added = { ...nothing, tokens: counted(tokensOf(usage)), cost: counted(cost ?? 0) };
    if (added.tokens > 0 || added.cost > 0) await this.#count(added);
    return { usage: { ...usage }, ...(cost !== undefined && { cost }) };
  }

  /** Runs sequentially, so that calls are counted in the order in which they start. */
  #count(added: AiCounts): Promise<AiCounts> {
    for (const name of Object.keys(added) as (keyof AiCounts)[]) this.#used[name] += added[name];
    const used = { ...this.#used };
    const count = async () => (await this.#shared?.(added, this.#before)) ?? used;
    const counted = this.#counted.then(count, count);
    this.#counted = counted;
    return counted;
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

/** The price of a model, found by its name or by the longest matching prefix. */
function priceOf(model: string, prices: readonly ModelPrice[]): ModelPrice | undefined {
  const fits = ({ model: name }: ModelPrice) => (name.endsWith('*') ? model.startsWith(name.slice(0, -1)) : name === model);
  const rank = ({ model: name }: ModelPrice) => (name.endsWith('*') ? name.length : Number.POSITIVE_INFINITY);
  return prices.filter(fits).sort((a, b) => rank(b) - rank(a))[0];
}

/** Usage is reported by providers that members choose; negative numbers would raise the limits. */
function counted(amount: number): number {
  return amount > 0 ? amount : 0;
}

function tokensOf({ totalTokens, inputTokens = 0, outputTokens = 0 }: TokenUsage): number {
  return totalTokens ?? inputTokens + outputTokens;
}

function numberIn(value: JsonValue, name: string): number {
  const number = memberOf(value, name);
  return typeof number === 'number' ? number : 0;
}
