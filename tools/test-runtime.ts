import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import * as jestRuntime from 'jest-runtime';
import { setTestGlobals } from './test-globals.ts';

// The package's types describe its CommonJS build; its ES module exports the class itself.
const JestRuntime = jestRuntime.default as unknown as typeof jestRuntime.default.default;

const require = createRequire(import.meta.url);
const testGlobals = new URL('./test-globals.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: testGlobals, shortCircuit: true } : next(specifier, context),
});

/**
 * Loads test files and the modules that they import with Node's own loader. A module is loaded once
 * per process instead of once per file, which saves 25% of the CPU time. Therefore, test files
 * share the state of modules, and modules cannot be mocked.
 */
export default class NodeLoaderRuntime extends JestRuntime {
  override unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  override async unstable_importModule(path: string): Promise<unknown> {
    setTestGlobals(this.requireModuleOrMock(path, '@jest/globals'));
    return import(pathToFileURL(path).href);
  }

  /** Evaluates Jest's test framework for each file: its module stores the tests of the file. */
  override requireInternalModule<T = unknown>(path: string): T {
    delete require.cache[path];
    return require(path) as T;
  }
}
