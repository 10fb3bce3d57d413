import type {
  FinishReason,
  JsonValue,
  LanguageModel,
  ModelRequest,
  ModelResult,
  NodeType,
  ToolCallPart,
} from '@sluice/node-sdk';

/**
 * One answer of a scripted model: text, tool calls, an answer that ended for another reason, or an
 * error.
 */
export type ScriptedAnswer =
  | string
  | { calls: readonly { name: string; input: JsonValue }[] }
  | { ended: FinishReason; text: string }
  | Error;

interface ScriptedModel extends LanguageModel {
  readonly requests: ModelRequest[];
}

/** A model that returns these answers in order; the last one is repeated. */
export function scriptedModel(answers: readonly ScriptedAnswer[], modelId = 'scripted'): ScriptedModel {
  const requests: ModelRequest[] = [];
  const next = async (request: ModelRequest): Promise<ModelResult> => {
    requests.push({ ...request, messages: [...request.messages] });
    const answer = answers[Math.min(requests.length, answers.length) - 1] ?? '';
    if (answer instanceof Error) throw answer;
    return resultOf(answer, requests.length);
  };
  return {
    provider: 'test',
    modelId,
    requests,
    generate: next,
    async *stream(request) {
      const result = await next(request);
      for (const word of result.text.split(/(?= )/)) if (word !== '') yield { type: 'text', text: word };
      yield { type: 'result', result };
    },
  };
}

function resultOf(answer: Exclude<ScriptedAnswer, Error>, count: number): ModelResult {
  const usage = { inputTokens: 3, outputTokens: 2, totalTokens: 5 };
  if (typeof answer === 'string') {
    return { content: [{ type: 'text', text: answer }], text: answer, toolCalls: [], finishReason: 'stop', usage };
  }
  if ('ended' in answer) {
    const { ended: finishReason, text } = answer;
    return { content: text === '' ? [] : [{ type: 'text', text }], text, toolCalls: [], finishReason, usage };
  }
  const parts = answer.calls.map(
    ({ name, input }, index): ToolCallPart => ({
      type: 'toolCall',
      id: `${count}-${index}`,
      name,
      input,
    }),
  );
  const toolCalls = parts.map(({ id, name, input }) => ({ id, name, input }));
  return { content: parts, text: '', toolCalls, finishReason: 'toolCalls', usage };
}

/** A node type that supplies a value over a connection type. */
export function supplierType(name: string, output: NodeType['description']['outputs'][number], value: () => unknown): NodeType {
  return {
    description: {
      displayName: name,
      name,
      group: ['transform'],
      version: 1,
      description: name,
      defaults: { name },
      inputs: [],
      outputs: [output],
      properties: [],
    },
    supply: value,
  };
}
