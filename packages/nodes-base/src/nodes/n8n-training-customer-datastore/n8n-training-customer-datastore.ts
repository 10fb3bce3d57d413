import type { ExecuteContext, NodeType } from '@sluice/node-sdk';
import { booleanParameter, choiceParameter, numberParameter } from '../../shared/parameters.ts';
import { mapItemsAsync } from '../../shared/per-item-async.ts';
import { atLeast, choice, choices, number, toggle, where } from '../../shared/properties.ts';
import { customers } from './customers.ts';

/** Sample data for tutorials: nothing is read from a service. */
export const n8nTrainingCustomerDatastore: NodeType = {
  description: {
    displayName: 'Customer Datastore (n8n training)',
    name: 'n8n-training-customer-datastore',
    group: ['transform'],
    version: 1,
    description: 'Outputs sample customers for tutorials, once for each item',
    defaults: { name: 'Customer Datastore (n8n training)' },
    inputs: ['main'],
    outputs: ['main'],
    computesOnly: true,
    properties: [
      choice(
        'operation',
        'Operation',
        choices(['getOnePerson', 'Get One Person', 'The first customer'], ['getAllPeople', 'Get All People']),
      ),
      toggle('returnAll', 'Return All', 'Output all five customers', where({ operation: ['getAllPeople'] })),
      atLeast(
        0,
        number('limit', 'Limit', 5, 'Maximum number of customers', where({ operation: ['getAllPeople'], returnAll: [false] })),
      ),
    ],
    icon: 'fa:database',
    subtitle: '={{ $parameter["operation"] }}',
  },
  execute: async (context) => [
    await mapItemsAsync(context, async (_, itemIndex) =>
      customers.slice(0, countOf(context, itemIndex)).map((json) => ({ json, pairedItem: { item: itemIndex } })),
    ),
  ],
};

function countOf(context: ExecuteContext, itemIndex: number): number {
  const operation = choiceParameter(context, 'operation', itemIndex, ['getOnePerson', 'getAllPeople'], 'getOnePerson');
  if (operation === 'getOnePerson') return 1;
  if (booleanParameter(context, 'returnAll', itemIndex, false)) return customers.length;
  return Math.max(0, numberParameter(context, 'limit', itemIndex, 5));
}
