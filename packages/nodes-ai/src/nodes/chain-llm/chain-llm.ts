import type { NodeType } from '@sluice/node-sdk';
import { choice, choices, list, text, toggle, when, where } from '@sluice/nodes-base/node-tools';
import { batching, hasOutputParser, promptType } from '../../shared/prompt-properties.ts';
import { executeChain } from './execute-chain.ts';

const withPromptType = [{ _cnd: { gte: 1.4 } }];
const withBatches = [{ _cnd: { gte: 1.7 } }];

/** Asks a model once for each item. Versions 1.8 and 1.9 run as 1.7. */
export const chainLlm: NodeType = {
  description: {
    displayName: 'Basic LLM Chain',
    name: 'chain-llm',
    group: ['transform'],
    version: [1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9],
    description: 'Sends a prompt to a language model and outputs its answer',
    defaults: { name: 'Basic LLM Chain' },
    inputs: ['main'],
    outputs: ['main'],
    subNodes: [
      { type: 'ai_languageModel', displayName: 'Model', required: true, maxCount: 2 },
      { type: 'ai_outputParser', displayName: 'Output Parser', maxCount: 1 },
    ],
    properties: [
      text('prompt', 'Prompt', 'The message of the user', when([1, 1.1, 1.2, 1.3])),
      promptType(when(withPromptType)),
      text('text', 'Prompt', 'The message of the user', when(withPromptType)),
      hasOutputParser(when(withPromptType)),
      toggle(
        'needsFallback',
        'Enable Fallback Model',
        'Whether a second model answers if the first one fails',
        when(withBatches),
      ),
      list('messages', 'Chat Messages', 'messageValues', [
        choice(
          'type',
          'Type',
          choices(
            ['SystemMessagePromptTemplate', 'System'],
            ['AIMessagePromptTemplate', 'AI'],
            ['HumanMessagePromptTemplate', 'User'],
          ),
        ),
        choice(
          'messageType',
          'Message Type',
          choices(['text', 'Text'], ['imageBinary', 'Image (Binary)'], ['imageUrl', 'Image (URL)']),
          where({ type: ['HumanMessagePromptTemplate'] }),
        ),
        text('message', 'Message', 'The text of the message'),
        text('binaryImageDataKey', 'Image Data Field Name', 'Name of the file of the item', {
          default: 'data',
          ...where({ messageType: ['imageBinary'] }),
        }),
        text('imageUrl', 'Image URL', 'Address that the provider reads', where({ messageType: ['imageUrl'] })),
        choice('imageDetail', 'Image Details', choices(['auto', 'Auto'], ['low', 'Low'], ['high', 'High'])),
      ]),
      batching(when(withBatches)),
    ],
    icon: 'fa:link',
  },
  execute: executeChain,
};
