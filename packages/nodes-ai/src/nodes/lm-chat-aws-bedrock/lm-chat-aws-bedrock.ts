import type { JsonObject, NodeType } from '@sluice/node-sdk';
import { choice, choices, options } from '@sluice/nodes-base/node-tools';
import { BedrockModel } from '../../adapter/bedrock-model.ts';
import type { ModelSettings } from '../../adapter/sdk-language-model.ts';
import { bedrockAccess, listedChatModels } from '../../shared/bedrock.ts';
import { modelIdOf, modelMethods, modelProperty } from '../../shared/model-list.ts';
import { chatOptions, chatSettings } from '../../shared/model-properties.ts';

/** https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference.html */
export const lmChatAwsBedrock: NodeType = {
  description: {
    displayName: 'AWS Bedrock Chat Model',
    name: 'lm-chat-aws-bedrock',
    group: ['transform'],
    version: [1, 1.1],
    description: 'Supplies an Amazon Bedrock chat model',
    defaults: { name: 'AWS Bedrock Chat Model' },
    inputs: [],
    outputs: ['ai_languageModel'],
    credentials: [{ name: 'aws', required: true }],
    properties: [
      choice(
        'modelSource',
        'Model Source',
        choices(
          ['onDemand', 'On-Demand Models'],
          ['inferenceProfile', 'Inference Profiles', 'Newer models can only be called through a profile'],
        ),
        { description: 'Models to list', displayOptions: { show: { '@version': [1.1] } } },
      ),
      modelProperty('model', '', { description: 'The model or inference profile: from the list, or by its ID or ARN' }),
      options(chatOptions(['maxTokensToSample', 'temperature', 'topP'])),
    ],
    icon: 'fa:comment',
  },
  methods: modelMethods(listedChatModels),
  supply: async (context, itemIndex) => {
    const modelId = modelIdOf(context, itemIndex, 'model', '');
    const settings = chatSettings(context, itemIndex);
    return new BedrockModel({
      ...(await bedrockAccess(context, itemIndex, modelId)),
      maxRetries: settings.maxRetries,
      inference: inferenceOf(settings),
    });
  },
};

function inferenceOf({ maxOutputTokens: maxTokens, temperature, topP }: ModelSettings): JsonObject {
  return {
    ...(maxTokens !== undefined && { maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
  };
}
