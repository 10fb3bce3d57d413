import { exceedsDepth, type JsonObject, maxDataDepth, type NodeHint, type NodeRun } from '@sluice/domain';
import { NodeOperationError } from '@sluice/node-sdk';
import type { RecordedUsage } from '../sub-node-calls/ai-usage.ts';

const maxHints = 20;
/** In characters, per hint. */
const maxHintLength = 1_000;
/** In bytes of JSON. */
const maxMetadataBytes = 64 * 1024;

/** Levels of arrays and objects. The run adds some levels around them. */
const maxMetadataDepth = maxDataDepth - 8;

/** Maximum number of models that a run lists by name, and of characters of a name. */
const maxModels = 20;
const maxModelName = 200;

const locations: ReadonlySet<unknown> = new Set(['outputPane', 'inputPane', 'ndv']);
const kinds: ReadonlySet<unknown> = new Set(['info', 'warning', 'danger']);
const times: ReadonlySet<unknown> = new Set(['always', 'beforeExecution', 'afterExecution']);

/**
 * Parts of a node run that the node adds to its outputs: hints, metadata, and the usage of models.
 * Their size is limited because every reader of the execution receives them.
 */
export class RunDetails {
  readonly #hints: NodeHint[] = [];
  #metadata: JsonObject | undefined;
  readonly #models = new Map<string, JsonObject>();

  addHints(hints: readonly NodeHint[]): void {
    this.#hints.push(...hints.slice(0, maxHints - this.#hints.length).map(plainHint));
  }

  addMetadata(further: JsonObject): void {
    const json = jsonOf({ ...this.#metadata, ...further });
    if (Buffer.byteLength(json) > maxMetadataBytes || exceedsDepth(json, maxMetadataDepth))
      throw new NodeOperationError(
        `the metadata of a node run exceeds ${maxMetadataBytes} bytes of JSON or is nested too deeply`,
      );
    this.#metadata = JSON.parse(json) as JsonObject;
  }

  /** Adds a call of a model to `metadata.models`, which has one entry for each model. */
  addModelUsage(model: string, { usage = {}, cost }: RecordedUsage): void {
    const modelName = model.slice(0, maxModelName);
    const name = this.#models.has(modelName) || this.#models.size < maxModels ? modelName : 'others';
    const before = this.#models.get(name) ?? { model: name, calls: 0 };
    this.#models.set(name, {
      ...before,
      calls: Number(before['calls']) + 1,
      usage: summed((before['usage'] ?? {}) as JsonObject, usage),
      ...(cost !== undefined && { cost: Number(before['cost'] ?? 0) + cost }),
    });
  }

  writeTo(run: NodeRun): void {
    if (this.#hints.length > 0) run.hints = this.#hints;
    if (this.#metadata) run.metadata = this.#metadata;
    if (this.#models.size > 0) run.metadata = { ...run.metadata, models: [...this.#models.values()] };
  }
}

/** The sums of the numbers in both. */
function summed(a: JsonObject, b: JsonObject): JsonObject {
  const numbers = Object.entries(b).filter(([, value]) => typeof value === 'number');
  return { ...a, ...Object.fromEntries(numbers.map(([name, value]) => [name, Number(a[name] ?? 0) + Number(value)])) };
}

/** Node types are third-party code: their values may not match the declared type. */
function plainHint({ message, type, location, whenToDisplay }: NodeHint): NodeHint {
  return {
    message: String(message).slice(0, maxHintLength),
    ...(kinds.has(type) && { type }),
    ...(locations.has(location) && { location }),
    ...(times.has(whenToDisplay) && { whenToDisplay }),
  } as NodeHint;
}

function jsonOf(metadata: JsonObject): string {
  try {
    return JSON.stringify(metadata);
  } catch (error) {
    throw new NodeOperationError('the metadata of a node run is not JSON', { cause: error });
  }
}
