import { type ExecuteContext, type JsonObject, type JsonValue, type NodeType, ownProperty } from '@sluice/node-sdk';
import { coercedText, stringOf } from '@sluice/nodes-base/node-tools';
import { callService } from '../../shared/service-call.ts';

/** Maximum number of characters in a question, and in an answer. */
const [maxQuestion, maxAnswer] = [2_000, 20_000];

/**
 * The status for a question that Wolfram|Alpha does not understand; its text suggests other
 * questions.
 */
const notUnderstood = 501;

/** Queries Wolfram|Alpha: https://products.wolframalpha.com/llm-api/documentation */
export const toolWolframAlpha: NodeType = {
  description: {
    displayName: 'Wolfram|Alpha',
    name: 'tool-wolfram-alpha',
    group: ['transform'],
    version: 1,
    description: 'Lets an agent ask Wolfram|Alpha for calculations and facts',
    defaults: { name: 'Wolfram|Alpha' },
    inputs: [],
    outputs: ['ai_tool'],
    credentials: [{ name: 'wolframAlphaApi', required: true }],
    properties: [],
    icon: 'fa:calculator',
  },
  supply: (context, itemIndex) => ({
    name: 'wolfram_alpha',
    description:
      'Answers questions about mathematics, science, units, dates, geography, and other facts. The input is a short question in English.',
    inputSchema: {
      type: 'object',
      properties: { input: { type: 'string', description: 'the question' } },
      required: ['input'],
    },
    run: (input: JsonValue) => ask(context, itemIndex, coercedText(ownProperty(input as JsonObject, 'input'))),
  }),
};

async function ask(context: ExecuteContext, itemIndex: number, question: string): Promise<string> {
  const query = new URLSearchParams({ input: question.slice(0, maxQuestion) });
  const answer = await callService(context, itemIndex, {
    service: 'Wolfram|Alpha',
    credential: 'wolframAlphaApi',
    method: 'GET',
    url: `https://www.wolframalpha.com/api/v1/llm-api?${query}`,
    isText: true,
    accepts: [notUnderstood],
  });
  return stringOf(answer).slice(0, maxAnswer);
}
