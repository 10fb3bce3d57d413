import { type ExecuteContext, type JsonValue, jsonWeight, type NodeType, TimeSlice } from '@sluice/node-sdk';
import type { MergePlan } from '../nodes/merge/merge-plan.ts';
import { readMergePlan } from '../nodes/merge/read-merge-plan.ts';
import { jsonOutputOf } from '../nodes/set/json-output.ts';
import { limitsOf, type NodeLimits } from './node-limits.ts';
import { charactersPerValue, weightOfParts } from './weight-of-parts.ts';

/*
 * Node runs that remain on the event loop. Starting a thread costs about 50 ms, and items are sent
 * to it and back as JSON. So a run remains if its cost, or the cost of each of its steps, has a
 * known bound well below the 100 ms for which the event loop may be blocked.
 */

/** Types that process items one by one in time slices, so that the limits apply to each item. */
const dividedTypes: ReadonlySet<string> = new Set([
  'crypto',
  'date-time',
  'filter',
  'if',
  'limit',
  'rename-keys',
  'set',
  'split-out',
  'switch',
]);
/** Maximum number of parameter values, multiplied by items. */
const maxParameters = 100_000;
/**
 * Maximum number of item pairs: some types compare each item of an input with each item of another.
 */
const maxPairs = 2_500;
/**
 * Maximum number of characters in text that is nearly JSON: repairing it can take quadratic time.
 */
const maxBrokenJson = 16_384;

/**
 * Whether the run queries by SQL: even a short query may run forever, and its memory is only freed
 * with its thread.
 */
export function runsSql({ description }: NodeType, context: ExecuteContext): boolean {
  return description.name === 'merge' && resolved(context, 'mode', 0) === 'combineBySql';
}

/** Whether a run costs little, regardless of its input. */
export function isLight(type: NodeType, context: ExecuteContext): boolean {
  const { description } = type;
  if (runsSql(type, context)) return false;
  if (runsInGuest(description.name, context)) return true;
  if (comparesPairs(description.name, context) && pairsOf(context) > maxPairs) return false;
  return new Scales(type, context).isLight(0, context.items().length);
}

const linearPlans: ReadonlySet<MergePlan['kind']> = new Set(['append', 'choose', 'emptyItem', 'position']);

function comparesPairs(type: string, context: ExecuteContext): boolean {
  if (context.inputCount < 2) return false;
  try {
    return type !== 'merge' || !linearPlans.has(readMergePlan(context).kind);
  } catch {
    return true; // the node reports the failure
  }
}

function pairsOf(context: ExecuteContext): number {
  let pairs = 1;
  for (let input = 0; input < context.inputCount; input += 1) pairs *= Math.max(1, context.items(input).length);
  return pairs;
}

/** Whether the run is divided into steps that each cost little. In time slices. */
export async function isDivided(type: NodeType, context: ExecuteContext): Promise<boolean> {
  if (!dividedTypes.has(type.description.name)) return false;
  const scales = new Scales(type, context);
  const slice = new TimeSlice();
  for (let index = 0; index < context.items().length; index += 1) {
    if (!scales.isLight(index, index + 1)) return false;
    if (slice.isOver) await slice.next();
    context.signal.throwIfAborted();
  }
  return true;
}

/** Compares the data that a run reads with its node's limits. */
class Scales {
  readonly #context: ExecuteContext;
  readonly #limits: NodeLimits;
  /** Parameters may contain strings from the items. */
  readonly #weigh: typeof jsonWeight;
  #brokenJson = 0;

  constructor(type: NodeType, context: ExecuteContext) {
    this.#context = context;
    this.#limits = limitsOf(type, context);
    const { partsRead } = this.#limits;
    this.#weigh = partsRead > 0 && partsRead < Number.POSITIVE_INFINITY ? weightOfParts : jsonWeight;
  }

  /** For items of input 0 from `start` to `end` (exclusive), and all items of the other inputs. */
  isLight(start: number, end: number): boolean {
    const { written, maxWeight, partsRead, readsJson } = this.#limits;
    if (written > maxWeight || written * (end - start) > maxParameters) return false;
    const inputs = this.#weightOfInputs(start, end);
    // Evaluating expressions may take longer than the rest of the run.
    const isLight = this.#isLightWith(inputs, inputs * partsRead) || this.#isLightWith(inputs, this.#weightRead(start, end));
    if (!isLight || !readsJson) return isLight;
    this.#brokenJson += brokenJsonLength(this.#context, start, end);
    return this.#brokenJson <= maxBrokenJson;
  }

  #isLightWith(inputs: number, readWeight: number): boolean {
    const { written, maxWeight, maxCharacters } = this.#limits;
    const weight = inputs + written + readWeight;
    return weight <= maxWeight && weight * charactersPerValue <= maxCharacters;
  }

  #weightOfInputs(start: number, end: number): number {
    const { maxWeight } = this.#limits;
    let weight = 0;
    for (let input = 0; input < Math.max(1, this.#context.inputCount); input += 1) {
      const items = this.#context.items(input);
      const last = input === 0 ? end : items.length;
      for (let index = input === 0 ? start : 0; index < last && weight <= maxWeight; index += 1)
        weight += this.#weigh(items[index]?.json, maxWeight);
    }
    return weight;
  }

  /** Weight of expression results: expressions may read data outside the items. */
  #weightRead(start: number, end: number): number {
    const { maxWeight, varying } = this.#limits;
    let weight = 0;
    for (let index = start; index < end && weight <= maxWeight; index += 1) {
      for (const name of varying) weight += weightOfParts(resolved(this.#context, name, index), maxWeight);
    }
    return weight;
  }
}

/** The sandbox has its own threads and limits. */
function runsInGuest(type: string, context: ExecuteContext): boolean {
  return type === 'sort' && resolved(context, 'type', 0) === 'code';
}

/** Total length of strings that a Set node may read as JSON, but that are not JSON. */
function brokenJsonLength(context: ExecuteContext, start: number, end: number): number {
  let length = 0;
  for (let itemIndex = start; itemIndex < Math.max(1, end) && length <= maxBrokenJson; itemIndex++) {
    const raw = jsonOutputOf(resolved(context, 'jsonOutput', itemIndex) ?? null);
    if (typeof raw === 'string' && !isJson(raw)) length += raw.length;
    length += brokenObjectsLength(['assignments', 'fields'].map((name) => resolved(context, name, itemIndex)));
  }
  return length;
}

/** Total length of strings, at any depth, that start like an object but are not JSON. */
function brokenObjectsLength(open: (JsonValue | undefined)[]): number {
  let length = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' && /^\s*[{/]/.test(value) && !isJson(value)) length += value.length;
    if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) open.push(member);
  }
  return length;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A failed expression has no value; the node reports it. */
function resolved(context: ExecuteContext, name: string, itemIndex: number): JsonValue | undefined {
  try {
    return context.parameter<JsonValue>(name, itemIndex);
  } catch {
    return undefined;
  }
}
