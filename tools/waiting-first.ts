import Sequencer from '@jest/test-sequencer';

type Tests = Parameters<Sequencer['sort']>[0];

/** Starts end-to-end tests first: they mostly wait, and tests that need the processor fill the gaps. */
export default class WaitingFirst extends Sequencer {
  override async sort(tests: Tests): Promise<Tests> {
    const { waiting = [], computing = [] } = Object.groupBy(await super.sort(tests), ({ path }) =>
      path.includes('/tests/e2e/') ? 'waiting' : 'computing',
    );
    return [...waiting, ...computing];
  }
}
