import { type ExecuteContext, type Item, NodeApiError, NodeOperationError, type NodeType } from '@sluice/node-sdk';
import { choiceParameter, numberParameter, textParameter } from '../../shared/parameters.ts';
import { mapItemsAsync } from '../../shared/per-item-async.ts';
import { debugHelperProperties } from './debug-helper-properties.ts';
import { randomData } from './random-data.ts';

const onPurpose = 'The Debug Helper node fails on purpose: choose another category to continue';

/**
 * Fails on purpose, uses memory, or outputs random data, to try out workflows and their error
 * handling.
 */
export const debugHelper: NodeType = {
  description: {
    displayName: 'DebugHelper',
    name: 'debug-helper',
    group: ['output'],
    version: 1,
    description: 'Fails on purpose or generates random data',
    defaults: { name: 'DebugHelper' },
    inputs: ['main'],
    outputs: ['main'],
    computesOnly: true,
    properties: debugHelperProperties,
    icon: 'fa:bug',
    iconColor: 'red',
    subtitle: '={{ $parameter["category"] }}',
  },
  execute: async (context) => [await mapItemsAsync(context, (_, itemIndex) => resultOf(context, itemIndex))],
};

async function resultOf(context: ExecuteContext, itemIndex: number): Promise<Item[]> {
  const pairedItem = { item: itemIndex };
  switch (choiceParameter(context, 'category', itemIndex, ['doNothing', 'throwError', 'oom', 'randomData'], 'throwError')) {
    case 'doNothing':
      return [];
    case 'throwError':
      throw configuredError(context, itemIndex);
    case 'oom':
      return [{ json: { allocatedMb: await useMemory(context, itemIndex) }, pairedItem }];
    case 'randomData':
      return (await randomData(context, itemIndex)).map((json) => ({ json, pairedItem }));
  }
}

function configuredError(context: ExecuteContext, itemIndex: number): Error {
  const types = ['NodeApiError', 'NodeOperationError', 'Error'] as const;
  const fallback = 'the Debug Helper node failed as configured';
  const message = textParameter(context, 'throwErrorMessage', itemIndex, fallback);
  switch (choiceParameter(context, 'throwErrorType', itemIndex, types, 'NodeApiError')) {
    case 'NodeApiError':
      return new NodeApiError(message, { itemIndex, description: onPurpose });
    case 'NodeOperationError':
      return new NodeOperationError(message, { itemIndex, description: onPurpose });
    case 'Error':
      return new Error(message);
  }
}

/**
 * Allocates the memory inside the sandbox, as a Code node would, so that the worker and its other
 * executions are not affected. Throws `CODE_MEMORY` above the sandbox's limit.
 */
async function useMemory(context: ExecuteContext, itemIndex: number): Promise<number> {
  const megabytes = numberParameter(context, 'memorySizeValue', itemIndex, 10);
  if (!(megabytes >= 0))
    throw new NodeOperationError('the parameter "memorySizeValue" must be 0 or more', {
      itemIndex,
      description: 'Use a number of megabytes',
    });
  const source = `const kept = []; for (let i = 0; i < ${Math.ceil(megabytes)}; i++) kept.push(new Uint8Array(1048576).fill(1)); return [{ json: { allocatedMb: kept.length } }];`;
  const [item] = await context.runCode({ source, mode: 'allItems' });
  return Number(item?.json['allocatedMb']);
}
