import { StorageQuotaError } from '@sluice/db';
import { JsonTooLongError, maxDataDepth, type NodeRunRecord, stringifyJson } from '@sluice/domain';
import type { SecretScrubber } from '@sluice/vault';
import { notWritten, quotaReached, type RunDataError, tooLarge } from './run-data-errors.ts';

export interface RunDataLimits {
  nodeRunMaxBytes: number;
  executionMaxBytes: number;
}

interface NodeRunJsonOptions {
  limits: RunDataLimits;
  /** Size of the execution's stored node runs, in bytes of JSON. */
  bytes: number;
  /** Contains the secrets that the execution has used so far. */
  scrubber: SecretScrubber;
  /** Throws if the project is over its storage quota; default: never. */
  assertCapacity?: (() => void) | undefined;
}

/** Serializes the node runs of one execution, without used secrets, and checks the limits. */
export class NodeRunJson {
  readonly #options: NodeRunJsonOptions;
  #bytes: number;

  constructor(options: NodeRunJsonOptions) {
    this.#options = options;
    this.#bytes = options.bytes;
  }

  /**
   * Returns the JSON, counted as data of the execution, or the reason why it cannot be stored. A
   * large node run is serialized and scrubbed in time slices.
   */
  of(record: NodeRunRecord): string | RunDataError | Promise<string | RunDataError> {
    const json = this.#scrubbedJson(record);
    return json instanceof Promise ? json.then((text) => this.#counted(record, text)) : this.#counted(record, json);
  }

  #scrubbedJson(record: NodeRunRecord): string | RunDataError | Promise<string | RunDataError> {
    const { nodeName, run } = record;
    try {
      // Items may share a value, such as a long string of a parameter: serialized, they could
      // exhaust the memory.
      const json = stringifyJson(run, { maxLength: this.#options.limits.nodeRunMaxBytes, maxDepth: maxDataDepth });
      const scrubbed =
        json instanceof Promise ? json.then((text) => this.#scrubbed(record, text)) : this.#scrubbed(record, json);
      return scrubbed instanceof Promise ? scrubbed.catch((error: unknown) => this.#notWritten(nodeName, error)) : scrubbed;
    } catch (error) {
      return notWritten(nodeName, error);
    }
  }

  #notWritten(nodeName: string, error: unknown): RunDataError {
    if (!(error instanceof JsonTooLongError)) return notWritten(nodeName, error);
    return this.#overNodeRunLimit(nodeName, `more than ${this.#options.limits.nodeRunMaxBytes}`);
  }

  #scrubbed({ nodeName }: NodeRunRecord, text: string): string | RunDataError | Promise<string | RunDataError> {
    const { limits, scrubber } = this.#options;
    // A string above the limit is refused without scrubbing; its size in bytes is at least its
    // length.
    if (text.length > limits.nodeRunMaxBytes) return this.#overNodeRunLimit(nodeName, Buffer.byteLength(text));
    return scrubber.scrubJson(text);
  }

  /** Returns the JSON and adds its size to the execution's stored bytes. */
  #counted({ nodeName }: NodeRunRecord, json: string | RunDataError): string | RunDataError {
    if (typeof json !== 'string') return json;
    const { nodeRunMaxBytes, executionMaxBytes: max } = this.#options.limits;
    const bytes = Buffer.byteLength(json);
    if (bytes > nodeRunMaxBytes) return this.#overNodeRunLimit(nodeName, bytes);
    if (this.#bytes + bytes > max) {
      const what = 'the data of the execution up to the output';
      return tooLarge(nodeName, { what, max, setting: 'EXECUTION_MAX_BYTES' });
    }
    try {
      this.#options.assertCapacity?.();
    } catch (error) {
      if (error instanceof StorageQuotaError) return quotaReached(nodeName, error);
      throw error;
    }
    this.#bytes += bytes;
    return json;
  }

  #overNodeRunLimit(nodeName: string, bytes: number | string): RunDataError {
    const what = `${bytes} bytes of output`;
    return tooLarge(nodeName, { what, max: this.#options.limits.nodeRunMaxBytes, setting: 'NODE_RUN_MAX_BYTES' });
  }
}
