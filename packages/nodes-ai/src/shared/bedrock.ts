import { credentialText, type ExecuteContext, type JsonObject, type MethodContext, ModelError } from '@sluice/node-sdk';
import { stringOf } from '@sluice/nodes-base/node-tools';
import type { BedrockAccess } from '../adapter/bedrock-call.ts';
import { accessOf } from './define-chat-model.ts';
import type { ModelList } from './model-list.ts';

/** Letters, digits, and hyphens: the region becomes part of a host name. */
const regionPattern = /^[a-z0-9-]{1,64}$/;

/** Address of a service in the region of the credential. */
function addressOf(service: 'bedrock' | 'bedrock-runtime', data: JsonObject): string {
  const region = credentialText(data, 'region').trim();
  if (!regionPattern.test(region)) throw new ModelError('invalidKey', 'the region in the credential is not an AWS region name');
  return `https://${service}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}

/** How a node reaches a model. Its adapter limits the responses, so the client does not. */
export async function bedrockAccess(
  context: ExecuteContext,
  itemIndex: number,
  modelId: string,
): Promise<Omit<BedrockAccess, 'maxRetries'>> {
  const { data, provider } = await accessOf(context, itemIndex, 'aws', (fetch) => fetch);
  return { address: addressOf('bedrock-runtime', data), modelId, fetch: provider.fetch };
}

/** Models available in a region without an inference profile. `output`: TEXT or EMBEDDING. */
export function foundationModels(output: 'EMBEDDING' | 'TEXT'): ModelList {
  return {
    credential: 'aws',
    url: (data) => `${addressOf('bedrock', data)}/foundation-models?byInferenceType=ON_DEMAND&byOutputModality=${output}`,
    member: 'modelSummaries',
    option: ({ modelId, modelName, providerName }) =>
      typeof modelId === 'string'
        ? { name: `${providerName ?? ''} ${modelName ?? modelId}`.trim(), value: modelId }
        : undefined,
  };
}

/** Inference profiles, which distribute calls over regions; newer models need one. */
const inferenceProfiles: ModelList = {
  credential: 'aws',
  url: (data) => `${addressOf('bedrock', data)}/inference-profiles?maxResults=1000`,
  member: 'inferenceProfileSummaries',
  option: ({ inferenceProfileId: id, inferenceProfileName: name }) =>
    typeof id === 'string' ? { name: stringOf(name ?? id), value: id } : undefined,
};

/** The list for the parameter `modelSource`. */
export function listedChatModels(context: MethodContext): ModelList {
  return context.parameter<string>('modelSource', 'onDemand') === 'inferenceProfile'
    ? inferenceProfiles
    : foundationModels('TEXT');
}
