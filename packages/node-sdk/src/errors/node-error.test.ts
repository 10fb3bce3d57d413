import { expect, test } from '@jest/globals';
import { errorObject, failedItem, isFailedItem, NodeApiError, NodeOperationError } from './node-error.ts';

test('an error response has its status, as a number and as a string, and its details', () => {
  const details = { status: 404, statusText: 'Not Found', body: '{}', message: 'of the service' };
  const error = new NodeApiError('the service returned 404', { itemIndex: 1, description: 'Check the URL', details });
  expect(errorObject(error)).toEqual({
    message: 'the service returned 404',
    name: 'NodeApiError',
    code: 'NODE_API_ERROR',
    description: 'Check the URL',
    status: 404,
    httpCode: '404',
    statusText: 'Not Found',
    body: '{}',
  });
});

test('an error without a response has no status', () => {
  expect(errorObject(new NodeOperationError('no route', { details: [1] }, 'HTTP_FAILED'))).toEqual({
    message: 'no route',
    name: 'NodeOperationError',
    code: 'HTTP_FAILED',
  });
  expect(errorObject(new TypeError('no'))).toEqual({ message: 'no', name: 'TypeError' });
});

test('a failed item is recognized, and its mark is not part of its data', () => {
  const item = failedItem(new Error('no such row'), 2);
  expect(isFailedItem(item)).toBe(true);
  expect(item).toEqual({ json: { error: 'no such row' }, pairedItem: { item: 2 } });
  expect(JSON.parse(JSON.stringify(item))).toEqual({ json: { error: 'no such row' }, pairedItem: { item: 2 } });
});

test('it may contain more than the message', () => {
  expect(failedItem(new Error('no'), 0, { message: 'no', status: 404 }).json).toEqual({
    error: { message: 'no', status: 404 },
  });
});

test('an item that only looks like one is not a failed item', () => {
  expect(isFailedItem({ json: { error: 'a field of the user' } })).toBe(false);
});
