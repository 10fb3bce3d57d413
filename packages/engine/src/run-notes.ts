import { exceedsDepth, type JsonObject, maxDataDepth, type NodeHint, type NodeRun } from '@sluice/domain';
import { NodeOperationError } from '@sluice/node-sdk';

const maxHints = 20;
/** In characters, per hint. */
const maxHintLength = 1_000;
/** In bytes of JSON. */
const maxMetadataBytes = 64 * 1024;

/** Levels of arrays and objects. The run adds some levels around them. */
const maxMetadataDepth = maxDataDepth - 8;

const places: ReadonlySet<unknown> = new Set(['outputPane', 'inputPane', 'ndv']);
const kinds: ReadonlySet<unknown> = new Set(['info', 'warning', 'danger']);
const times: ReadonlySet<unknown> = new Set(['always', 'beforeExecution', 'afterExecution']);

/**
 * Notes of a node about its run. They are bounded because every reader of the execution receives
 * them.
 */
export class RunNotes {
  readonly #hints: NodeHint[] = [];
  #metadata: JsonObject | undefined;

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

  writeTo(run: NodeRun): void {
    if (this.#hints.length > 0) run.hints = this.#hints;
    if (this.#metadata) run.metadata = this.#metadata;
  }
}

/** Node types are third-party code: their values may not match the declared type. */
function plainHint({ message, type, location, whenToDisplay }: NodeHint): NodeHint {
  return {
    message: String(message).slice(0, maxHintLength),
    ...(kinds.has(type) && { type }),
    ...(places.has(location) && { location }),
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
