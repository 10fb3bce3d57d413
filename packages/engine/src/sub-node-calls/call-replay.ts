import {
  AppError,
  type ErrorRecord,
  errorCodes,
  type JsonObject,
  type NodeRun,
  type NodeRunRecord,
  stringifyJson,
} from '@sluice/domain';
import { NodeOperationError } from '@sluice/node-sdk';

/** Key of a call; stored with the method and the step in the metadata of its run. */
interface CallMetadata {
  key?: unknown;
  /** Time in milliseconds at which the run of the using node began: its `$now`. */
  since?: unknown;
}

interface Candidate {
  readonly run: NodeRun;
  /** JSON of the recorded input; set on first use. */
  input?: string | Promise<string>;
}

/**
 * Recorded calls of sub-nodes. A node run that did not end (its worker died, or it waits for a
 * workflow) starts again, and gets the recorded result of each call that it makes again with the
 * same input. So a finished tool call is not repeated.
 */
export class CallReplay {
  readonly #candidates = new Map<string, Candidate[]>();
  /** Main node and run → its `since`. */
  readonly #since = new Map<string, number>();

  constructor(done: readonly NodeRunRecord[]) {
    for (const { run } of done) {
      const { key, since } = (run.metadata ?? {}) as CallMetadata;
      if (typeof key !== 'string' || !run.inputOverride || run.truncated) continue;
      const source = run.source[0];
      if (source && typeof since === 'number') this.#since.set(runKey(source.previousNode, source.previousNodeRun), since);
      if (!isWhole(run)) continue;
      const same = this.#candidates.get(key);
      if (same) same.push({ run });
      else this.#candidates.set(key, [{ run }]);
    }
  }

  /**
   * The `$now` of a node run that began in an earlier attempt and made calls; otherwise
   * `undefined`.
   */
  sinceOf(nodeName: string, runIndex: number): number | undefined {
    return this.#since.get(runKey(nodeName, runIndex));
  }

  /** Whether a call with this key may have been recorded. */
  has(key: string): boolean {
    return this.#candidates.has(key);
  }

  /** The recorded run of a call with this key and this input JSON. Each is returned once. */
  async take(key: string, input: string): Promise<NodeRun | undefined> {
    for (const candidate of [...(this.#candidates.get(key) ?? [])]) {
      candidate.input ??= stringifyJson(inputOf(candidate.run));
      if ((await candidate.input) === input && this.#remove(key, candidate)) return candidate.run;
    }
    return undefined;
  }

  /** False: another call has taken it in the meantime. */
  #remove(key: string, candidate: Candidate): boolean {
    const same = this.#candidates.get(key) ?? [];
    const at = same.indexOf(candidate);
    if (at < 0) return false;
    same.splice(at, 1);
    if (same.length === 0) this.#candidates.delete(key);
    return true;
  }
}

/** The recorded output of a call. Throws its error if it failed. */
export function replayed({ data, error, metadata }: NodeRun): unknown {
  if (error) throw toError(error);
  const json = firstJson(data);
  return metadata?.['boxed'] === true ? json?.['response'] : json;
}

function inputOf({ inputOverride }: NodeRun): JsonObject {
  return firstJson(inputOverride) ?? {};
}

function firstJson(data: NodeRun['data']): JsonObject | undefined {
  return Object.values(data ?? {})[0]?.[0]?.[0]?.json;
}

/** Whether the record has the complete output. */
function isWhole({ metadata, error, data }: NodeRun): boolean {
  return metadata?.['partial'] !== true && (error !== undefined || firstJson(data) !== undefined);
}

function runKey(nodeName: string, runIndex = 0): string {
  return JSON.stringify([nodeName, runIndex]);
}

/**
 * Restores what readers of an error depend on: its class decides whether its description is a hint
 * to a model.
 */
function toError({ message, code, name, description, itemIndex }: ErrorRecord): Error {
  const errorCode = errorCodes.find((one) => one === code) ?? 'NODE_OPERATION_ERROR';
  if (/^(?:Node|Model)/.test(name ?? '')) return new NodeOperationError(message, { itemIndex, description }, errorCode);
  return new AppError({ code: errorCode, message });
}
