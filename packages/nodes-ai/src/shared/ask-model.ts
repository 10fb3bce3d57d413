import {
  type ExecuteContext,
  isAppError,
  type LanguageModel,
  type ModelChunk,
  ModelError,
  type ModelRequest,
  type ModelResult,
  NodeOperationError,
} from '@sluice/node-sdk';

/** Receives an answer as it streams. */
export type OnChunk = (chunk: ModelChunk) => Promise<void>;

/** Whether an error must end a node that would otherwise handle it. */
export function endsRun(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted || (isAppError(error) && error.code === 'AI_LIMIT_REACHED');
}

/** The connected models for an item: the first, and with `withFallback` also the second. */
export async function modelsOf(context: ExecuteContext, itemIndex: number, withFallback = false): Promise<LanguageModel[]> {
  const connected = await context.connected('ai_languageModel', itemIndex);
  const models = connected.map(({ value }) => value).slice(0, withFallback ? 2 : 1);
  if (models.length > 0) return models;
  throw new NodeOperationError('no language model is connected', {
    itemIndex,
    description: 'Connect a chat model to the node',
  });
}

/**
 * Throws if a filter or the token limit stopped the answer. `isParsed`: a parser reads the answer
 * and would treat a truncated answer as complete.
 */
export function assertAnswered({ finishReason, text }: ModelResult, isParsed: boolean): void {
  if (finishReason === 'refused')
    throw new NodeOperationError('the model refused to answer: the content was filtered', { description: 'Change the prompt' });
  if (finishReason === 'length' && (isParsed || text === ''))
    throw new NodeOperationError('the model used all of its tokens before it had answered', {
      description: 'Raise "Maximum Number of Tokens" of the model',
    });
}

/** Calls the first model, and after an error the next one. Throws the last model's error. */
export async function askModel(
  models: readonly LanguageModel[],
  request: ModelRequest,
  signal: AbortSignal,
  onChunk?: OnChunk,
): Promise<ModelResult> {
  for (const [index, model] of models.entries()) {
    try {
      const result = onChunk ? await streamed(model, request, signal, onChunk) : await model.generate(request, signal);
      if (result.finishReason !== 'error' || result.content.length > 0) return result;
      throw new ModelError('unavailable', 'the model failed before it had answered');
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
  onChunk: OnChunk,
): Promise<ModelResult> {
  for await (const chunk of model.stream(request, signal)) {
    await onChunk(chunk);
    if (chunk.type === 'result') return chunk.result;
  }
  throw new NodeOperationError('the model ended without a result');
}
