import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, number, toggle } from '@sluice/nodes-base/node-tools';

export const promptType = (more: Partial<NodeProperty>) =>
  choice(
    'promptType',
    'Source for Prompt',
    choices(
      ['auto', 'Connected Chat Trigger', 'The field `chatInput` of the item'],
      ['guardrails', 'Connected Guardrails Node', 'The field `guardrailsInput` of the item'],
      ['define', 'Define Below'],
    ),
    more,
  );

export const hasOutputParser = (more: Partial<NodeProperty>) =>
  toggle('hasOutputParser', 'Require Specific Output Format', 'Whether an output parser is connected', more);

export const batching = (more: Partial<NodeProperty> = {}): NodeProperty => ({
  displayName: 'Batch Processing',
  name: 'batching',
  type: 'collection',
  default: {},
  ...more,
  options: [
    number('batchSize', 'Batch Size', 5, 'Items at a time'),
    number('delayBetweenBatches', 'Delay Between Batches', 0, 'Milliseconds'),
  ],
});
