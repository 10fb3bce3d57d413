import type { JestEnvironment } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

type Options = ConstructorParameters<typeof JestEnvironment>;
type Handler = NonNullable<JestEnvironment['handleTestEvent']>;
/** The parameter of either overload: Jest waits for some events, and not for others. */
type Event = Handler extends { (event: infer A, state: never): unknown; (event: infer B, state: never): unknown }
  ? A | B
  : never;

/** Keys by which Jest passes state of one file through the global object: names of symbols. */
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
 * Runs test files in the realm of Node itself, where modules stay loaded from one file to the next
 * (`test-runtime.ts`). After a file, it takes back what Jest and the file have changed for all.
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

  /** Undoes the override by which Jest's runtime serves built-in modules to another realm. */
  async setup(): Promise<void> {
    process.getBuiltinModule = this.#getBuiltinModule;
  }

  /**
   * Fails a test that waits for a callback. Jest passes one where a row of `test.each` has fewer
   * values than the test has parameters, and the test would hang until it times out.
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
