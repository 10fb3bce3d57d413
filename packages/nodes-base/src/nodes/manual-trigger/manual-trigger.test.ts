import { expect, test } from '@jest/globals';
import { runNode } from '../../testing/fake-context.ts';
import { manualTrigger } from './manual-trigger.ts';

test('a manual trigger returns one empty item', async () => {
  expect(await runNode(manualTrigger, { inputs: [] })).toEqual([[{ json: {} }]]);
});
