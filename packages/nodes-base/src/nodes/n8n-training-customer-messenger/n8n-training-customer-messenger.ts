import type { NodeType } from '@sluice/node-sdk';
import { requiredText } from '../../shared/parameters.ts';
import { mapItemsAsync } from '../../shared/per-item-async.ts';
import { text } from '../../shared/properties.ts';

/** The last node of tutorials: it says what it would send, and sends nothing. */
export const n8nTrainingCustomerMessenger: NodeType = {
  description: {
    displayName: 'Customer Messenger (n8n training)',
    name: 'n8n-training-customer-messenger',
    group: ['transform'],
    version: 1,
    description: 'Outputs the messages to customers of tutorials; nothing is sent',
    defaults: { name: 'Customer Messenger (n8n training)' },
    inputs: ['main'],
    outputs: ['main'],
    computesOnly: true,
    properties: [
      text('customerId', 'Customer ID', 'Id of a customer', { required: true }),
      text('message', 'Message', 'Text of the message', { required: true, typeOptions: { rows: 4 } }),
    ],
    icon: 'fa:comment',
  },
  execute: async (context) => [
    await mapItemsAsync(context, async (_, itemIndex) => {
      const customer = requiredText(context, 'customerId', itemIndex);
      // Two spaces, as workflows that read the output expect.
      const output = `Sent message to customer ${customer}:  ${requiredText(context, 'message', itemIndex)}`;
      return [{ json: { output }, pairedItem: { item: itemIndex } }];
    }),
  ],
};
