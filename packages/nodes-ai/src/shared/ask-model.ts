import {
  type ExecuteContext,
  isAppError,
  type LanguageModel,
  type ModelRequest,
  type ModelResult,
  NodeOperationError,
} from '@sluice/node-sdk';

/** Receives the text of an answer while it arrives. */
export type OnText = (text: string) => Promise<void>;

/** Whether an error must end a node that would otherwise handle it. */
export function endsRun(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted || (isAppError(error) && error.code === 'AI_LIMIT_REACHED');
}

/** The connected models for an item: the first, and with `withFallback` the second one too. */
export async function modelsOf(context: ExecuteContext, itemIndex: number, withFallback = false): Promise<LanguageModel[]> {
  const connected = await context.connected('ai_languageModel', itemIndex);
  const models = connected.map(({ value }) => value).slice(0, withFallback ? 2 : 1);
  if (models.length > 0) return models;
  throw new NodeOperationError('no language model is connected', {
    itemIndex,
    description: 'Connect a chat model to the node',
  });
}

/** Asks the first model, and after an error the next one. Throws the error of the last. */
export async function askModel(
  models: readonly LanguageModel[],
  request: ModelRequest,
  signal: AbortSignal,
  onText?: OnText,
): Promise<ModelResult> {
  for (const [index, model] of models.entries()) {
    try {
      return onText ? await streamed(model, request, signal, onText) : await model.generate(request, signal);
    } catch (error) {
      if (endsRun(error, signal) || index === models.length - 1) throw error;
    }
  }
  throw new NodeOperationError('no language model is connected');
}

async function streamed(
  model: LanguageModel,
  request: ModelRequest,
  signal: AbortSignal,
  onText: OnText,
): Promise<ModelResult> {
  for await (const chunk of model.stream(request, signal)) {
    if (chunk.type === 'text') await onText(chunk.text);
    if (chunk.type === 'result') return chunk.result;
  }
  throw new NodeOperationError('the model ended without a result');
}
