import type { NodeType } from '@sluice/node-sdk';
import { booleanParameter } from '../../shared/parameters.ts';
import { summarizeItems } from './summarize-items.ts';
import { summarizeProperties } from './summarize-properties.ts';

export const summarize: NodeType = {
  description: {
    displayName: 'Summarize',
    name: 'summarize',
    group: ['transform'],
    version: [1, 1.1],
    description: 'Sums, counts, and otherwise aggregates fields, over all items or groups of them',
    defaults: { name: 'Summarize' },
    inputs: ['main'],
    outputs: ['main'],
    computesOnly: true,
    properties: summarizeProperties,
    icon: 'fa:calculator',
  },
  execute(context) {
    const missingFails = context.typeVersion < 1.1 && !booleanParameter(context, 'options.continueIfFieldNotFound', 0, false);
    return [summarizeItems(context, { missingFails, splitsBy: context.typeVersion < 1.1 ? 'texts' : 'values' })];
  },
};
