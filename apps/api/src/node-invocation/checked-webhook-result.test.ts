import { expect, test } from '@jest/globals';
import { checkedWebhookResult } from './checked-webhook-result.ts';

test.each([
  undefined,
  {},
  { workflowData: [[], [{ json: {} }]] },
  { webhookResponse: 5, noWebhookResponse: true },
  { deliveryId: 'd' },
])('a webhook may return %j', (result) => {
  expect(checkedWebhookResult(result)).toEqual(result ?? {});
});

test.each<[unknown, string]>([
  [5, 'must return an object, not a value of type number'],
  [null, 'must return an object, not null'],
  [[], 'must return an object, not a list'],
  [{ workflowData: {} }, 'workflowData must be a list, not a value of type object'],
  [{ workflowData: [{ json: {} }] }, 'workflowData[0] must be the list of items of that output'],
  [{ workflowData: [[], [{ json: {} }, { json: 5 }]] }, 'workflowData[1][1] must be an item'],
  [{ workflowData: [[null]] }, 'workflowData[0][0] must be an item'],
  [{ noWebhookResponse: 'yes' }, 'noWebhookResponse must be true or false'],
  [{ deliveryId: 5 }, 'deliveryId must be a non-empty string, not a value of type number'],
  [{ deliveryId: '' }, 'deliveryId must be a non-empty string, not an empty one'],
])('a webhook that returns %j fails with a description of the problem', (result, message) => {
  expect(() => checkedWebhookResult(result)).toThrow(message);
});
