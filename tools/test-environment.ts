import type { JestEnvironment } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

type Options = ConstructorParameters<typeof JestEnvironment>;
type Handler = NonNullable<JestEnvironment['handleTestEvent']>;
/** The parameter of both overloads: one for events that Jest waits for, one for other events. */
type Event = Handler extends { (event: infer A, state: never): unknown; (event: infer B, state: never): unknown }
  ? A | B
  : never;

/** Names of the symbols under which Jest stores the state of a test file in the global object. */
const jestKeys = new Set([
  'EVENT_HANDLERS',
  'JEST_STATE_SYMBOL',
  'LOG_ERRORS_BEFORE_RETRY',
  'RETRY_IMMEDIATELY',
  'RETRY_TIMES',
  'RETRY_TIMES_SETTER',
  'TEST_TIMEOUT_SYMBOL',
  'WAIT_BEFORE_RETRY',
]);

/**
 * Runs test files in Node's main realm, where modules stay loaded from one file to the next
 * (`test-runtime.ts`). After each file, undoes the global changes that Jest and the file have made.
 */
export default class NodeRealm implements JestEnvironment {
  readonly global = globalThis as unknown as JestEnvironment['global'];
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  readonly #console = globalThis.console;
  readonly #exit = process.exit;
  readonly #getBuiltinModule = process.getBuiltinModule;
  readonly #env = { ...process.env };

  constructor({ projectConfig }: Options[0]) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  /** Undoes the override with which Jest's runtime provides built-in modules to another realm. */
  async setup(): Promise<void> {
    process.getBuiltinModule = this.#getBuiltinModule;
  }

  /**
   * Fails a test that takes a callback. Jest passes a callback if a row of `test.each` has fewer
   * values than the test has parameters, and the test would then hang until it times out.
   */
  handleTestEvent(event: Event): void {
    if (event.name !== 'test_start' || !event.test.fn?.length) return;
    event.test.fn = () => {
      throw new TypeError('the test has more parameters than values');
    };
  }

  async teardown(): Promise<void> {
    this.fakeTimersModern.dispose();
    globalThis.console = this.#console;
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) if (!(name in this.#env)) delete process.env[name];
    Object.assign(process.env, this.#env);
    for (const key of Object.getOwnPropertySymbols(globalThis)) {
      if (jestKeys.has(key.description ?? '')) Reflect.deleteProperty(globalThis, key);
    }
  }

  getVmContext(): null {
    return null;
  }
}
