import type { EmscriptenModuleLoader, QuickJSEmscriptenModule, QuickJSSyncVariant } from 'quickjs-emscripten-core';

/**
 * A variant of the engine that converts text between host and guest with Node's native functions.
 * Its own do so character by character in JavaScript, which is a fifth of the time of most calls.
 * The text is JSON, which contains no lone surrogates, or our own.
 */
export function withNativeText(variant: QuickJSSyncVariant, memory: WebAssembly.Memory): QuickJSSyncVariant {
  return {
    ...variant,
    importModuleLoader: async () => {
      // A variant of `newVariant` has no nested `default`.
      const load = (await variant.importModuleLoader()) as EmscriptenModuleLoader<QuickJSEmscriptenModule>;
      return async (options) => useNativeText(await load(options), memory);
    },
  };
}

function useNativeText(engine: QuickJSEmscriptenModule, memory: WebAssembly.Memory): QuickJSEmscriptenModule {
  engine.lengthBytesUTF8 = (text) => Buffer.byteLength(text);
  engine.stringToUTF8 = (text, address) => {
    const bytes = Buffer.from(memory.buffer);
    bytes[address + bytes.write(text, address)] = 0;
  };
  engine.UTF8ToString = (address) => {
    const bytes = Buffer.from(memory.buffer);
    return bytes.toString('utf8', address, bytes.indexOf(0, address));
  };
  return engine;
}
