import type { NodeType } from '@sluice/node-sdk';
import { choice, choices, number, options, text, toggle, when } from '@sluice/nodes-base/node-tools';
import { hasOutputParser, promptType } from '../../shared/prompt-properties.ts';
import { executeAgent, unsupportedUses } from './execute-agent.ts';

const first = [1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9];
const second = [2, 2.1, 2.2, 2.3, 3, 3.1];
const withPromptType = [{ _cnd: { gte: 1.3 } }];

/**
 * Asks a model, which may call tools, until it answers. Older agent kinds run as this one. Versions
 * 2.3 and 3.1 behave as the versions before them.
 */
export const agent: NodeType = {
  description: {
    displayName: 'AI Agent',
    name: 'agent',
    group: ['transform'],
    version: [...first, ...second],
    defaultVersion: 3,
    description: 'Answers a prompt with a language model that can call tools, and remembers the conversation',
    defaults: { name: 'AI Agent' },
    inputs: ['main'],
    outputs: ['main'],
    subNodes: [
      { type: 'ai_languageModel', displayName: 'Chat Model', required: true, maxCount: 2 },
      { type: 'ai_memory', displayName: 'Memory', maxCount: 1 },
      { type: 'ai_tool', displayName: 'Tool' },
      { type: 'ai_outputParser', displayName: 'Output Parser', maxCount: 1 },
    ],
    properties: [
      choice(
        'agent',
        'Agent',
        choices(
          ['toolsAgent', 'Tools Agent'],
          ['conversationalAgent', 'Conversational Agent', 'Runs as a tools agent'],
          ['openAiFunctionsAgent', 'OpenAI Functions Agent', 'Runs as a tools agent'],
          ['planAndExecuteAgent', 'Plan and Execute Agent', 'Runs as a tools agent'],
          ['reActAgent', 'ReAct Agent', 'Runs as a tools agent'],
          ['sqlAgent', 'SQL Agent', 'Not supported'],
        ),
        when(first),
      ),
      promptType(when(withPromptType)),
      text('text', 'Prompt', 'The message of the user'),
      hasOutputParser(when(withPromptType)),
      toggle('needsFallback', 'Enable Fallback Model', 'Whether a second model answers if the first one fails', when(second)),
      options([
        text('systemMessage', 'System Message', 'Instructions for the model', { default: 'You are a helpful assistant' }),
        text('humanMessage', 'Human Message', 'Has no effect: older kinds of agents used it', when(first)),
        text('prefix', 'Prefix', 'Has no effect: older kinds of agents used it', when(first)),
        text('suffix', 'Suffix', 'Has no effect: older kinds of agents used it', when(first)),
        text('suffixChat', 'Suffix Message', 'Has no effect: older kinds of agents used it', when(first)),
        number('maxIterations', 'Max Iterations', 10, 'Most calls of the model for one item'),
        toggle('returnIntermediateSteps', 'Return Intermediate Steps', 'Whether to output the calls of tools, too'),
        toggle(
          'passthroughBinaryImages',
          'Automatically Passthrough Binary Images',
          'Whether the model sees images of the item',
          {
            default: true,
          },
        ),
        toggle(
          'enableStreaming',
          'Enable Streaming',
          'Whether the answer is sent while it arrives, if the caller reads it so',
          {
            default: true,
            ...when(second),
          },
        ),
        number(
          'maxTokensFromMemory',
          'Max Tokens To Read From Memory',
          0,
          'Most tokens of the memory, estimated; 0: all',
          when(second),
        ),
        {
          displayName: 'Batch Processing',
          name: 'batching',
          type: 'collection',
          default: {},
          ...when(second),
          options: [
            number('batchSize', 'Batch Size', 1, 'Items at a time'),
            number('delayBetweenBatches', 'Delay Between Batches', 0, 'Milliseconds'),
          ],
        },
      ]),
    ],
    icon: 'fa:robot',
  },
  unsupported: unsupportedUses,
  execute: executeAgent,
};
