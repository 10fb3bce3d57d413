import * as sequencer from '@jest/test-sequencer';

// The package's types describe its CommonJS build; its ES module exports the class itself.
export const Sequencer = sequencer.default as unknown as typeof sequencer.default.default;
export type Tests = Parameters<InstanceType<typeof Sequencer>['sort']>[0];

/** A test file; `duration` is that of its last run, in milliseconds. */
export interface TestFile {
  path: string;
  duration?: number | undefined;
}

/** Assumed durations of tests that have not run here: end-to-end and browser, and others. */
const [unknownWaitingMs, unknownComputingMs] = [50_000, 3_000];

/**
 * Runs tests that mostly wait in parallel with tests that need the CPU. End-to-end and browser
 * tests alone leave a third of the CPU time unused, while the other tests compete for it.
 */
export default class MixedLoad extends Sequencer {
  readonly #workers: number;

  constructor(options: ConstructorParameters<typeof Sequencer>[0]) {
    super(options);
    this.#workers = options.globalConfig.maxWorkers;
  }

  override async sort(tests: Tests): Promise<Tests> {
    return mixed(await super.sort(tests), this.#workers);
  }
}

/** Two of three workers run end-to-end and browser tests while both kinds remain. */
export function mixed<T extends TestFile>(tests: readonly T[], workerCount: number): T[] {
  const { waiting = [], computing = [] } = Object.groupBy(tests, (test) => (waits(test) ? 'waiting' : 'computing'));
  const maxWaiting = Math.ceil((workerCount * 2) / 3);
  const workers = Array.from({ length: workerCount }, () => ({ freeAt: 0, isWaiting: false }));
  const order: T[] = [];
  while (order.length < tests.length) {
    // Each worker takes the next file as soon as it is free.
    const [next, ...others] = workers.sort((a, b) => a.freeAt - b.freeAt);
    const isFull = others.filter(({ isWaiting }) => isWaiting).length >= maxWaiting;
    const [first, second] = isFull ? [computing, waiting] : [waiting, computing];
    const test = first.shift() ?? second.shift();
    if (!next || !test) break;
    order.push(test);
    next.isWaiting = waits(test);
    next.freeAt += test.duration ?? (next.isWaiting ? unknownWaitingMs : unknownComputingMs);
  }
  return order;
}

function waits({ path }: TestFile): boolean {
  return /\/tests\/(e2e|browser)\//.test(path);
}
