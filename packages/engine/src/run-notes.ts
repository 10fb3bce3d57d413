import { exceedsDepth, type JsonObject, maxDataDepth, type NodeHint, type NodeRun } from '@sluice/domain';
import { NodeOperationError } from '@sluice/node-sdk';

const maxHints = 20;
/** Characters of one. */
const maxHintLength = 1_000;
/** Bytes of JSON. */
const maxMetadataBytes = 64 * 1024;

/** Levels of arrays and objects; the run has some of its own around them. */
const maxMetadataDepth = maxDataDepth - 8;

const places: ReadonlySet<unknown> = new Set(['outputPane', 'inputPane', 'ndv']);
const kinds: ReadonlySet<unknown> = new Set(['info', 'warning', 'danger']);
const times: ReadonlySet<unknown> = new Set(['always', 'beforeExecution', 'afterExecution']);

/** What a node says about its run beside the output; each within bounds, since every reader of the execution gets it. */
export class RunNotes {
  readonly #hints: NodeHint[] = [];
  #metadata: JsonObject | undefined;

  addHints(hints: readonly NodeHint[]): void {
    this.#hints.push(...hints.slice(0, maxHints - this.#hints.length).map(plainHint));
  }

  addMetadata(further: JsonObject): void {
    const json = jsonOf({ ...this.#metadata, ...further });
    if (Buffer.byteLength(json) > maxMetadataBytes || exceedsDepth(json, maxMetadataDepth))
      throw new NodeOperationError(`the metadata of a node run are over ${maxMetadataBytes} bytes of JSON, or nested too deep`);
    this.#metadata = JSON.parse(json) as JsonObject;
  }

  writeTo(run: NodeRun): void {
    if (this.#hints.length > 0) run.hints = this.#hints;
    if (this.#metadata) run.metadata = this.#metadata;
  }
}

/** Node types are not ours: what they hand over need not be of the kind. */
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
    throw new NodeOperationError('the metadata of a node run are no JSON', { cause: error });
  }
}
