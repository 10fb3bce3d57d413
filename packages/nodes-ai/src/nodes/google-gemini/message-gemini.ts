import {
  type ExecuteContext,
  type Item,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  type ToolCall,
} from '@sluice/node-sdk';
import { booleanParameter, listParameter, stringOf, textParameter } from '@sluice/nodes-base/node-tools';
import { toolsOf, untilAnswered } from '../../shared/called-tools.ts';
import { newerTextModel } from '../../shared/gemini.ts';
import { optionValues } from '../../shared/option-values.ts';
import { callGemini, candidatesOf, geminiModel, partsOf } from './call-gemini.ts';

/** Answers to messages. https://ai.google.dev/api/generate-content */
export async function messageGemini(context: ExecuteContext, itemIndex: number): Promise<Item[]> {
  const contents = contentsOf(context, itemIndex);
  const tools = await toolsOf(context, itemIndex);
  const model = geminiModel(context, itemIndex, context.typeVersion >= 1.2 ? newerTextModel : '');
  const system = textParameter(context, 'options.systemMessage', itemIndex);
  const declared = tools.map(
    ({ name, description, inputSchema }): JsonObject => ({ name, description, parametersJsonSchema: inputSchema }),
  );
  const offered = [...(declared.length > 0 ? [{ functionDeclarations: declared }] : []), ...builtInTools(context, itemIndex)];
  const request: JsonObject = {
    generationConfig: generationConfig(context, itemIndex),
    ...(system !== '' && { systemInstruction: { parts: [{ text: system }] } }),
    ...(offered.length > 0 && { tools: offered }),
  };
  const answer = await untilAnswered<JsonObject>(context, itemIndex, tools, async (previous, results) => {
    if (previous) {
      contents.push({ role: 'model', parts: partsOf(candidatesOf(previous.answer)[0]) });
      contents.push({
        role: 'user',
        parts: previous.calls.map(({ id, name }, index) => responsePart(id, name, results[index] ?? '')),
      });
    }
    const json = { ...request, contents };
    const next = await callGemini(context, itemIndex, model, 'generateContent', json, tools.length > 0);
    return { answer: next, calls: callsIn(candidatesOf(next)[0]) };
  });
  return shownAnswer(context, itemIndex, answer);
}

/** The candidates, each an item; or the whole response. */
export function shownAnswer(context: ExecuteContext, itemIndex: number, answer: JsonObject): Item[] {
  const isSimple = booleanParameter(context, 'simplify', itemIndex, true);
  const results = isSimple ? candidatesOf(answer) : [answer];
  return results.map((json) => ({ json, pairedItem: { item: itemIndex } }));
}

function contentsOf(context: ExecuteContext, itemIndex: number): JsonObject[] {
  const written = listParameter(context, 'messages.values', itemIndex).map(
    ({ role, content }): JsonObject => ({
      role: role === 'model' ? 'model' : 'user',
      parts: [{ text: typeof content === 'string' ? content : JSON.stringify(content ?? '') }],
    }),
  );
  if (written.length > 0) return written;
  throw new NodeOperationError('there is no message', { itemIndex, description: 'Add one in "Messages"' });
}

function generationConfig(context: ExecuteContext, itemIndex: number): JsonObject {
  const budget = optionValues(context, itemIndex, { thinkingBudget: 'thinkingBudget' });
  return {
    ...optionValues(context, itemIndex, {
      temperature: 'temperature',
      topP: 'topP',
      topK: 'topK',
      maxOutputTokens: 'maxOutputTokens',
      candidateCount: 'candidateCount',
      frequencyPenalty: 'frequencyPenalty',
      presencePenalty: 'presencePenalty',
    }),
    ...('thinkingBudget' in budget && { thinkingConfig: budget }),
    ...(booleanParameter(context, 'jsonOutput', itemIndex, false) && { responseMimeType: 'application/json' }),
  };
}

/** Tools that Google runs. */
function builtInTools(context: ExecuteContext, itemIndex: number): JsonObject[] {
  const value = context.parameter<JsonValue>('builtInTools', itemIndex) ?? {};
  const tools = isJsonObject(value) ? value : {};
  const runsCode = Boolean(tools['codeExecution']) || booleanParameter(context, 'options.codeExecution', itemIndex, false);
  return [
    ...(tools['googleSearch'] ? [{ googleSearch: {} }] : []),
    ...(tools['urlContext'] ? [{ urlContext: {} }] : []),
    ...(runsCode ? [{ codeExecution: {} }] : []),
  ];
}

function callsIn(candidate: JsonObject | undefined): ToolCall[] {
  return partsOf(candidate).flatMap(({ functionCall: call }) => {
    if (!isJsonObject(call)) return [];
    return [
      { id: call['id'] === undefined ? '' : stringOf(call['id']), name: stringOf(call['name']), input: call['args'] ?? {} },
    ];
  });
}

/** The API assigns IDs to calls only for some models. */
function responsePart(id: string, name: string, result: string): JsonObject {
  return { functionResponse: { ...(id !== '' && { id }), name, response: { result } } };
}
