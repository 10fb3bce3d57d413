import type { ExecuteContext, Item, JsonObject } from '@sluice/node-sdk';
import { booleanParameter, numberParameter, textParameter } from '@sluice/nodes-base/node-tools';
import { modelIdOf } from '../../shared/model-list.ts';
import { callOpenAi } from './call-open-ai.ts';
import { choicesOf, messageOf } from './complete-chat.ts';
import { asked, outputOf } from './create-response.ts';
import { imageUrls } from './image-urls.ts';

/**
 * Answers a question about images: with Chat Completions, and since version 2 with the Responses
 * API.
 */
export async function analyzeImage(context: ExecuteContext, itemIndex: number): Promise<Item> {
  const text = textParameter(context, 'text', itemIndex, "What's in this image?");
  const detail = textParameter(context, 'options.detail', itemIndex, 'auto');
  const urls = await imageUrls(context, itemIndex);
  const question: Question = {
    model: modelIdOf(context, itemIndex, 'modelId', 'gpt-4o-mini'),
    text,
    detail,
    urls,
    maxTokens: Math.trunc(numberParameter(context, 'options.maxTokens', itemIndex, 300)),
  };
  const answer = context.typeVersion < 2 ? completed(context, itemIndex, question) : responded(context, itemIndex, question);
  return { json: await answer, pairedItem: { item: itemIndex } };
}

interface Question {
  model: string;
  text: string;
  detail: string;
  urls: readonly string[];
  maxTokens: number;
}

async function completed(context: ExecuteContext, itemIndex: number, question: Question): Promise<JsonObject> {
  const { model, text, urls, detail, maxTokens } = question;
  const images = urls.map((url) => ({ type: 'image_url', image_url: { url, detail } }));
  const messages = [{ role: 'user', content: [{ type: 'text', text }, ...images] }];
  const json = { model, messages, max_tokens: maxTokens };
  const response = await callOpenAi(context, itemIndex, '/chat/completions', { model, json });
  const message = messageOf(choicesOf(response)[0]);
  return booleanParameter(context, 'simplify', itemIndex, true) ? { content: message['content'] ?? '' } : response;
}

/** Public workflows read the simplified answer as `['0'].content` or as `output[0].content`. */
async function responded(context: ExecuteContext, itemIndex: number, question: Question): Promise<JsonObject> {
  const { model, text, urls, detail, maxTokens } = question;
  const images = urls.map((url) => ({ type: 'input_image', image_url: url, detail }));
  const input = [{ role: 'user', content: [{ type: 'input_text', text }, ...images] }];
  const json = { model, input, max_output_tokens: maxTokens };
  const { answer } = asked(await callOpenAi(context, itemIndex, '/responses', { model, json }));
  if (!booleanParameter(context, 'simplify', itemIndex, true)) return answer;
  const output = outputOf(answer).filter(({ type }) => type === 'message');
  return { ...Object.fromEntries(output.entries()), output };
}
