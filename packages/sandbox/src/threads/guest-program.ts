import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten-core';
import type * as program from '../guest/main.ts';
import { readGuestModule, resolveGuestModule } from './guest-modules.ts';

/** `guest/main.ts` in one QuickJS, and the calls of its functions. */
export class GuestProgram {
  readonly context: QuickJSContext;
  readonly #exports: QuickJSHandle;

  constructor(runtime: QuickJSRuntime) {
    runtime.setModuleLoader(readGuestModule, resolveGuestModule);
    this.context = runtime.newContext();
    this.#exports = this.evaluateModule(readGuestModule('./main'), './main');
    runtime.removeModuleLoader();
  }

  /** Throws a `GuestFault` if the function throws. */
  invoke(name: keyof typeof program, ...args: QuickJSHandle[]): QuickJSHandle {
    const { context } = this;
    const result = context.callFunction(context.getProp(this.#exports, name), context.undefined, ...args);
    if (result.error) throw new GuestFault(context.dump(result.error));
    return result.value;
  }

  evaluateModule(source: string, name: string): QuickJSHandle {
    return this.context.unwrapResult(this.context.evalCode(source, name, { type: 'module' }));
  }
}

/** An error from a call into the guest, to the extent that it could be read. */
export class GuestFault extends Error {
  constructor(dumped: unknown) {
    const { name, message } = (typeof dumped === 'object' && dumped !== null ? dumped : {}) as {
      name?: unknown;
      message?: unknown;
    };
    super(`${String(name)}: ${String(message)}`);
  }
}
