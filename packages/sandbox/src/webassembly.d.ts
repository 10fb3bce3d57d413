/**
 * The part of the WebAssembly API that we use: it is in neither the language's library nor Node's
 * types.
 */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  /** Throws a `LinkError` for imports that do not match the module. */
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
  }
  class LinkError extends Error {}
  class Memory {
    /** Pages of 64 KiB. */
    constructor(descriptor: { initial: number; maximum: number });
    /** Replaced when the memory grows. */
    readonly buffer: ArrayBuffer;
    /** Number of pages to add. */
    grow(pages: number): number;
  }
}
