import { type JsonObject, type NodeType, ownProperty } from '@sluice/node-sdk';
import { text, textParameter } from '@sluice/nodes-base/node-tools';
import { toolName } from '../../shared/tool-name.ts';

const standard =
  'Use the tool to think about something. It will not obtain new information or change anything, but append the thought to the log. Use it when complex reasoning is needed.';

/** A tool in which a model writes down its reasoning. */
export const toolThink: NodeType = {
  description: {
    displayName: 'Think Tool',
    name: 'tool-think',
    group: ['transform'],
    version: [1, 1.1],
    description: 'Lets an agent write down its thoughts before it continues',
    defaults: { name: 'Think' },
    inputs: [],
    outputs: ['ai_tool'],
    properties: [text('description', 'Think Tool Description', 'When the model should use the tool', { default: standard })],
    computesOnly: true,
    icon: 'fa:brain',
  },
  supply: (context, itemIndex) => ({
    name: context.typeVersion < 1.1 ? 'thinking_tool' : toolName(context.node.name),
    description: textParameter(context, 'description', itemIndex, standard),
    inputSchema: { type: 'object', properties: { input: { type: 'string', description: 'the thought' } }, required: ['input'] },
    run: async (input: JsonObject) => ownProperty(input, 'input') ?? '',
  }),
};
