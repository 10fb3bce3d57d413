import { expect, test } from '@jest/globals';
import { runNode } from '../../testing/fake-context.ts';
import { n8nTrainingCustomerMessenger as type } from './n8n-training-customer-messenger.ts';

test('each item has its message', async () => {
  const parameters = (itemIndex: number) => ({ customerId: itemIndex, message: `Message ${itemIndex}` });
  expect(await runNode(type, { parameters, json: [{ a: 1 }, {}] })).toEqual([
    [
      { json: { output: 'Sent message to customer 0:  Message 0' }, pairedItem: { item: 0 } },
      { json: { output: 'Sent message to customer 1:  Message 1' }, pairedItem: { item: 1 } },
    ],
  ]);
});

test.each([
  ['customerId', { message: 'Hello' }],
  ['message', { customerId: '1' }],
])('without %s, the node fails', async (name, parameters) => {
  await expect(runNode(type, { parameters })).rejects.toThrow(name);
});
