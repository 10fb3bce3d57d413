import { defineService } from '../../shared/define-service.ts';
import { chat } from './chat.ts';
import { image } from './image.ts';
import { openAiClient } from './open-ai-client.ts';
import { textResource } from './text.ts';

/** The older OpenAI node. Public workflows also have versions above 1.1, which behave as 1.1. */
export const openAi = defineService({
  displayName: 'OpenAI (older)',
  name: 'open-ai',
  version: [1, 1.1, 1.3, 2, 4],
  defaultVersion: 1.1,
  description:
    'Asks chat models of OpenAI, and makes images. The node `ai.open-ai` does more: prefer it in new workflows. Versions 1.3, 2, and 4 run as 1.1',
  credentials: [{ name: 'openAiApi', required: true }],
  icon: 'fa:comment',
  group: ['transform'],
  client: openAiClient,
  resources: { chat, image, text: textResource },
  initial: 'text',
});
