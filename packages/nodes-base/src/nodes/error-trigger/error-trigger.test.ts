import { expect, test } from '@jest/globals';
import { runForJson } from '../../testing/fake-context.ts';
import { errorTrigger } from './error-trigger.ts';

const failure = { execution: { id: '7', error: { message: 'no stock' } }, workflow: { id: 'w', name: 'Orders' } };

test('returns the known details of the failure', async () => {
  expect(await runForJson(errorTrigger, { json: [failure] })).toEqual([
    { ...failure, execution: { id: '7', error: { message: 'no stock', stack: 'Error: no stock' } } },
  ]);
});

test('provides the node, the stack, and the response status in the form that error workflows expect', async () => {
  const error = { message: 'not found', name: 'NodeApiError', node: 'Fetch', details: { status: 404 } };
  const [item] = await runForJson(errorTrigger, { json: [{ ...failure, execution: { id: '7', error } }] });
  expect(item).toEqual({
    ...failure,
    execution: {
      id: '7',
      error: { ...error, node: { name: 'Fetch' }, httpCode: '404', stack: 'NodeApiError: not found\n    at Fetch' },
    },
  });
});

test('returns example data in a manual run', async () => {
  expect(await runForJson(errorTrigger)).toEqual([
    { execution: expect.objectContaining({ lastNodeExecuted: 'Node With Error' }), workflow: expect.any(Object) },
  ]);
});
