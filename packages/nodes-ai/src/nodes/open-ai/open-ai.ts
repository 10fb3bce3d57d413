import type { NodeType } from '@sluice/node-sdk';
import { modelMethods } from '../../shared/model-list.ts';
import { openAiAddress, openAiCredential } from './call-open-ai.ts';
import { executeOpenAi, unsupportedUses } from './execute-open-ai.ts';
import { openAiProperties } from './properties.ts';

/** OpenAI text, images, audio, and files. */
export const openAi: NodeType = {
  description: {
    displayName: 'OpenAI',
    name: 'open-ai',
    group: ['transform'],
    version: [1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 2, 2.1, 2.2, 2.3],
    defaultVersion: 2.3,
    description: 'Asks an OpenAI model, generates and analyzes images, and converts between speech and text',
    defaults: { name: 'OpenAI' },
    inputs: ['main'],
    outputs: ['main'],
    usableAsTool: true,
    subNodes: [
      {
        type: 'ai_tool',
        displayName: 'Tools',
        displayOptions: { show: { resource: ['text'], operation: ['message', 'response'] } },
      },
    ],
    credentials: [{ name: openAiCredential, required: true }],
    properties: openAiProperties,
    icon: 'fa:comment',
  },
  unsupported: unsupportedUses,
  methods: modelMethods({ credential: openAiCredential, url: (data) => `${openAiAddress(data)}/models` }),
  execute: executeOpenAi,
};
