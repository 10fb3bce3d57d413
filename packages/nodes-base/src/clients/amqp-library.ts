import { createRequire } from 'node:module';

/** The library's decoder; a new instance decodes each frame and each message. */
interface Reader {
  /** Values decoded so far. */
  values?: number;
  read_value(type: unknown): unknown;
}

/**
 * Maximum number of values in a frame or message. Some values take no bytes, so the size does not
 * bound their number.
 */
const maxValues = 200_000;

let isPatched = false;

/** Loads `rhea` and bounds the number of values that it decodes at once. */
export async function loadAmqp(): Promise<typeof import('rhea')> {
  // A CommonJS module whose export names Node cannot detect.
  const library = (await import('rhea')).default;
  if (!isPatched)
    boundValues((createRequire(import.meta.url)('rhea/lib/types.js') as { Reader: { prototype: Reader } }).Reader);
  isPatched = true;
  return library;
}

function boundValues({ prototype }: { prototype: Reader }): void {
  const { read_value } = prototype;
  prototype.read_value = function (type) {
    this.values = (this.values ?? 0) + 1;
    if (this.values > maxValues) throw new Error(`a frame or message of the server has more than ${maxValues} values`);
    return read_value.call(this, type);
  };
}
