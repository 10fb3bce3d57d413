import { expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { runNode } from '../../testing/fake-context.ts';
import { stopAndError } from './stop-and-error.ts';

const object = { message: 'no stock', sku: 7 };

test.each<[string, JsonObject, object]>([
  ['a message', { errorMessage: 'enough' }, { message: 'enough' }],
  ['an object', { errorType: 'errorObject', errorObject: object }, { message: 'no stock', details: object }],
  ['the text of an object', { errorType: 'errorObject', errorObject: '{"message":"no stock","sku":7}' }, { details: object }],
  ['an object without message', { errorType: 'errorObject', errorObject: { sku: 7 } }, { message: '{"sku":7}' }],
  ['nothing', {}, { message: expect.stringContaining('Stop and Error') }],
  [
    'text that is no JSON',
    { errorType: 'errorObject', errorObject: '{' },
    { message: expect.stringContaining('"errorObject"') },
  ],
])('%s fails the whole node, even if it may continue', async (_, parameters, error) => {
  const run = runNode(stopAndError, { parameters, continueOnFail: true });
  await expect(run).rejects.toMatchObject({ code: 'STOP_AND_ERROR', ...error });
});
