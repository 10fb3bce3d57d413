import { type ExecuteContext, NodeOperationError, type NodeType, type OutputParser } from '@sluice/node-sdk';
import { options, text, textParameter } from '@sluice/nodes-base/node-tools';
import { modelsOf } from '../../shared/ask-model.ts';
import { FixingParser } from '../../shared/fixing-parser.ts';

/** Has a model correct an answer that another parser rejects. */
export const outputParserAutofixing: NodeType = {
  description: {
    displayName: 'Auto-fixing Output Parser',
    name: 'output-parser-autofixing',
    group: ['transform'],
    version: 1,
    description: 'Has a model correct an answer once if the connected output parser rejects it',
    defaults: { name: 'Auto-fixing Output Parser' },
    inputs: [],
    outputs: ['ai_outputParser'],
    subNodes: [
      { type: 'ai_languageModel', displayName: 'Model', required: true, maxCount: 1 },
      { type: 'ai_outputParser', displayName: 'Output Parser', required: true, maxCount: 1 },
    ],
    computesOnly: true,
    properties: [
      options([
        text('prompt', 'Retry Prompt', 'May contain {instructions}, {completion}, and {error}; empty: a standard prompt'),
      ]),
    ],
    icon: 'fa:tools',
  },
  supply,
};

async function supply(context: ExecuteContext, itemIndex: number): Promise<OutputParser> {
  const [model] = await modelsOf(context, itemIndex);
  const [parser] = await context.connected('ai_outputParser', itemIndex);
  if (model && parser) return new FixingParser(parser.value, model, textParameter(context, 'options.prompt', itemIndex));
  throw new NodeOperationError('no output parser is connected', {
    itemIndex,
    description: 'Connect an output parser to the node',
  });
}
