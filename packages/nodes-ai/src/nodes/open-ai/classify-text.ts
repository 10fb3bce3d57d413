import { type ExecuteContext, type Item, isJsonObject, ModelError } from '@sluice/node-sdk';
import { booleanParameter, requiredText } from '@sluice/nodes-base/node-tools';
import { callOpenAi } from './call-open-ai.ts';

const model = 'omni-moderation-latest';

/**
 * Whether a text violates the policies. https://platform.openai.com/docs/api-reference/moderations
 */
export async function classifyText(context: ExecuteContext, itemIndex: number): Promise<Item> {
  const input = requiredText(context, 'input', itemIndex);
  const { results } = await callOpenAi(context, itemIndex, '/moderations', {
    model,
    json: { input, model },
  });
  const result = Array.isArray(results) ? results[0] : undefined;
  if (!isJsonObject(result)) throw new ModelError('invalidResponse', 'the provider response has no results');
  const isSimple = booleanParameter(context, 'simplify', itemIndex, false);
  return { json: isSimple ? { flagged: result['flagged'] ?? false } : result, pairedItem: { item: itemIndex } };
}
