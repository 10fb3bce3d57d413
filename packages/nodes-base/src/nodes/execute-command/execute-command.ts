import { type ExecuteContext, type Item, NodeOperationError, type NodeType } from '@sluice/node-sdk';
import { booleanParameter, requiredText } from '../../shared/parameters.ts';
import { mapItemsAsync } from '../../shared/per-item-async.ts';
import { text, toggle } from '../../shared/properties.ts';

/** Runs programs that the operator allows (`EXECUTE_COMMAND_ALLOW`), without a shell. */
export const executeCommand: NodeType = {
  description: {
    displayName: 'Execute Command',
    name: 'execute-command',
    group: ['transform'],
    version: 1,
    description: 'Runs a program on the worker, if the operator allows that program',
    defaults: { name: 'Execute Command' },
    inputs: ['main'],
    outputs: ['main'],
    properties: [
      toggle('executeOnce', 'Execute Once', 'Whether the command runs once instead of for each item', { default: true }),
      text(
        'command',
        'Command',
        'The absolute path of an allowed program, and its arguments, with 524,288 characters at most; there is no shell',
        {
          required: true,
        },
      ),
    ],
    icon: 'fa:terminal',
    iconColor: 'gray',
    subtitle: '={{ $parameter["command"] }}',
  },
  async execute(context) {
    const isOnce = booleanParameter(context, 'executeOnce', 0, true);
    const step = async (_: Item, itemIndex: number): Promise<Item[]> =>
      isOnce && itemIndex > 0 ? [] : [await run(context, itemIndex)];
    return [await mapItemsAsync(context, step)];
  },
};

async function run(context: ExecuteContext, itemIndex: number): Promise<Item> {
  const command = requiredText(context, 'command', itemIndex);
  if (!context.commands) {
    throw new NodeOperationError(
      'commands are turned off',
      { itemIndex, description: 'The operator of this installation can allow programs with the setting EXECUTE_COMMAND_ALLOW' },
      'NOT_SUPPORTED',
    );
  }
  const { exitCode, stdout, stderr } = await context.commands.run(command, context.signal);
  if (exitCode === 0) return { json: { exitCode, stderr, stdout }, pairedItem: { item: itemIndex } };
  throw new NodeOperationError(`the command ended with exit code ${exitCode}`, {
    itemIndex,
    description: stderr.slice(-1_000) || undefined,
    details: { exitCode, stderr: stderr.slice(-10_000), stdout: stdout.slice(-10_000) },
  });
}
