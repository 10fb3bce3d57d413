import { expect, test } from '@jest/globals';
import { runForJson } from '../../testing/fake-context.ts';
import { errorTrigger } from './error-trigger.ts';

const failure = { execution: { id: '7', error: { message: 'no stock' } }, workflow: { id: 'w', name: 'Orders' } };

test('gives what is known of the failure', async () => {
  expect(await runForJson(errorTrigger, { json: [failure] })).toEqual([failure]);
});

test('run by hand, gives an example of it', async () => {
  expect(await runForJson(errorTrigger)).toEqual([
    { execution: expect.objectContaining({ lastNodeExecuted: 'Node With Error' }), workflow: expect.any(Object) },
  ]);
});
