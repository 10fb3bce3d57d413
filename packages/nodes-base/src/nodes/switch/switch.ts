import type { ConnectionType, Item, NodeType } from '@sluice/node-sdk';
import { failedOrThrow, forEachItem, passedItem } from '../../shared/per-item.ts';
import { switchOutputCount } from './switch-outputs.ts';
import { switchProperties, switchVersions } from './switch-properties.ts';
import { switchRoutes } from './switch-routes.ts';

/**
 * Sends each item to the output that rules or an expression select. A failed item goes to the first
 * output if the node continues on errors.
 */
export const switchNode: NodeType = {
  description: {
    displayName: 'Switch',
    name: 'switch',
    group: ['transform'],
    version: switchVersions,
    description: 'Sends items to one of several branches',
    defaults: { name: 'Switch' },
    inputs: ['main'],
    outputs: ['main', 'main', 'main', 'main'],
    computesOnly: true,
    properties: switchProperties,
    icon: 'fa:map-signs',
    iconColor: 'blue',
  },
  outputs: (parameters, typeVersion) =>
    Array.from({ length: switchOutputCount(parameters, typeVersion) }, (): ConnectionType => 'main'),
  async execute(context) {
    const outputCount = switchOutputCount(context.node.parameters, context.typeVersion);
    const outputs = Array.from({ length: Math.max(1, outputCount) }, (): Item[] => []);
    const route = switchRoutes(context, outputCount);
    await forEachItem(context, (item, itemIndex) => {
      try {
        for (const output of route(itemIndex)) outputs[output]?.push(passedItem(item, itemIndex));
      } catch (error) {
        outputs[0]?.push(failedOrThrow(context, itemIndex, error));
      }
    });
    return outputs;
  },
};
