import type { JsonObject } from '@sluice/node-sdk';
import { openAiServer, type ServerAnswer } from './open-ai-server.ts';
import { type AiNode, aiEngine } from './run-ai.ts';

interface TextRun {
  outcome: { status: string; error?: unknown };
  /** JSON of each output's items. */
  outputs: JsonObject[][];
  /** Source item index of each item, by output. */
  sources: unknown[][];
  /** Message contents of each request. */
  prompts: string[][];
}

/** Runs a node with a chat model that returns the answers in order. */
export async function askAboutText(
  node: AiNode,
  items: readonly JsonObject[],
  answers: readonly ServerAnswer[],
): Promise<TextRun> {
  const server = await openAiServer(answers);
  const engine = aiEngine({ key: { apiKey: 'key-1', url: server.url } });
  const model: AiNode = {
    type: 'ai.lm-chat-open-ai',
    typeVersion: 1.2,
    parameters: { model: 'gpt-4o-mini' },
    credentials: { openAiApi: 'key' },
    to: { Node: 'ai_languageModel' },
  };
  try {
    const { outcome, records } = await engine.run({ Node: node, Model: model }, items);
    const main = records.find(({ nodeName }) => nodeName === 'Node')?.run.data?.['main'] ?? [];
    return {
      outcome,
      outputs: main.map((list) => (list ?? []).map(({ json }) => json)),
      sources: main.map((list) => (list ?? []).map(({ pairedItem }) => (pairedItem as { item?: unknown } | undefined)?.item)),
      prompts: server.received.map(({ body }) => (body['messages'] as JsonObject[]).map(({ content }) => String(content))),
    };
  } finally {
    await engine.close();
    await server.close();
  }
}
