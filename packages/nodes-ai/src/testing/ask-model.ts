import type { ExecuteContext, JsonObject, LanguageModel, ModelChunk, ModelRequest, NodeType } from '@sluice/node-sdk';
import type { AiEngine, AiNode, AiRun } from './run-ai.ts';
import { supplierType } from './scripted-model.ts';

type Ask = (model: LanguageModel, signal: AbortSignal) => Promise<unknown>;

/**
 * Runs `ask` in a node `Asker` with the model that a node `Model` supplies. Its result is the
 * output.
 */
export function askWith(engine: AiEngine, model: AiNode, ask: Ask, signal?: AbortSignal): Promise<AiRun> {
  const asker: NodeType = {
    ...supplierType('asker', 'main', () => undefined),
    execute: async (context: ExecuteContext) => {
      const [connected] = await context.connected('ai_languageModel', 0);
      return [[{ json: { result: (await ask(connected?.value as LanguageModel, context.signal)) as JsonObject } }]];
    },
  };
  const nodes = { Asker: { type: asker }, Model: { ...model, to: { Asker: 'ai_languageModel' } } };
  return engine.run(nodes, undefined, signal ? { signal } : {});
}

export const question: ModelRequest = { messages: [{ role: 'user', content: 'hi' }] };

export async function chunksOf(model: LanguageModel, signal: AbortSignal, request = question): Promise<ModelChunk[]> {
  const chunks: ModelChunk[] = [];
  for await (const chunk of model.stream(request, signal)) chunks.push(chunk);
  return chunks;
}
