/** The part of the WebAssembly API that we use: it is neither in the language's library nor in Node's types. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  /** Throws a `LinkError` for imports that are not what the module asks for. */
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
  }
  class LinkError extends Error {}
  class Memory {
    /** Pages of 64 KiB. */
    constructor(descriptor: { initial: number; maximum: number });
    /** Replaced when the memory grows. */
    readonly buffer: ArrayBuffer;
    /** By so many pages. */
    grow(pages: number): number;
  }
}
