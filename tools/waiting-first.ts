import * as sequencer from '@jest/test-sequencer';

// The package's types describe its CommonJS build; its ES module exports the class itself.
const Sequencer = sequencer.default as unknown as typeof sequencer.default.default;
type Tests = Parameters<InstanceType<typeof Sequencer>['sort']>[0];

/**
 * Starts end-to-end and browser tests first: they mostly wait, and tests that need the processor fill the gaps.
 */
export default class WaitingFirst extends Sequencer {
  override async sort(tests: Tests): Promise<Tests> {
    const { waiting = [], computing = [] } = Object.groupBy(await super.sort(tests), ({ path }) =>
      /\/tests\/(e2e|browser)\//.test(path) ? 'waiting' : 'computing',
    );
    return [...waiting, ...computing];
  }
}
