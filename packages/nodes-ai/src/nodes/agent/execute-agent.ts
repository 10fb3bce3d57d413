import {
  type ChatMessage,
  type ExecuteContext,
  type Item,
  type JsonObject,
  type JsonValue,
  type Memory,
  NodeOperationError,
  type NodeOutput,
  type OutputParser,
  type UnsupportedUse,
} from '@sluice/node-sdk';
import { booleanParameter, numberParameter, refuseUnsupported, stringOf, textParameter } from '@sluice/nodes-base/node-tools';
import { modelsOf, type OnChunk } from '../../shared/ask-model.ts';
import { respondsByNodes } from '../../shared/chat-start.ts';
import { inBatches } from '../../shared/in-batches.ts';
import { imagesOf, parserOf, promptOf, userMessage } from '../../shared/prompt.ts';
import { uniquelyNamed } from '../../shared/tool-name.ts';
import { type AgentAnswer, runAgent } from './agent-loop.ts';

export const unsupportedUses: readonly UnsupportedUse[] = [
  {
    parameter: 'agent',
    values: ['sqlAgent'],
    what: 'the SQL agent',
    hint: 'Connect a database node as a tool of a tools agent',
  },
];

/** Maximum number of model calls for one item, regardless of the node's setting. */
const maxIterations = 1_000;

/** One answer for each item. */
export async function executeAgent(context: ExecuteContext): Promise<NodeOutput> {
  noteOldKind(context);
  const answer = (_: Item, itemIndex: number) => answerItem(context, itemIndex, { stream: streamTo(context, itemIndex) });
  return [await inBatches(context, answer, 1)];
}

function noteOldKind(context: ExecuteContext): void {
  const { node, typeVersion } = context;
  const { agent = typeVersion < 1.6 ? 'conversationalAgent' : 'toolsAgent' } = node.parameters;
  if (typeVersion >= 2 || agent === 'toolsAgent') return;
  const message = `The agent "${stringOf(agent)}" runs as a tools agent: the model must support tools`;
  context.addHints?.({ message, type: 'info' });
}

interface Asked {
  /** Prompt; default: the item's prompt. */
  prompt?: string | undefined;
  stream?: Stream | undefined;
}

/** The answer to one item. */
export async function answerItem(context: ExecuteContext, itemIndex: number, { prompt, stream }: Asked): Promise<Item> {
  refuseUnsupported(context, unsupportedUses, itemIndex);
  const needsFallback = booleanParameter(context, 'needsFallback', itemIndex, false);
  const models = await modelsOf(context, itemIndex, needsFallback);
  const memory = (await context.connected('ai_memory', itemIndex))[0]?.value;
  const tools = uniquelyNamed((await context.connected('ai_tool', itemIndex)).map(({ value }) => value));
  const parser = await parserOf(context, itemIndex);
  const user = await userOf(context, itemIndex, prompt);
  const history = memory ? limited(await memory.load({}, context.signal), context, itemIndex) : [];
  const messages = [...systemOf(context, itemIndex, parser), ...history, user];
  const answer = await runAgent({
    models,
    tools,
    parser,
    messages,
    maxIterations: iterationsOf(context, itemIndex),
    signal: context.signal,
    owner: context.workflow,
    onChunk: stream?.chunk,
  });
  await stream?.end();
  return toItem(context, itemIndex, answer, { memory, user });
}

async function toItem(
  context: ExecuteContext,
  itemIndex: number,
  { output, text, steps, isUnfinished }: AgentAnswer,
  { memory, user }: { memory: Memory | undefined; user: ChatMessage },
): Promise<Item> {
  if (isUnfinished && context.typeVersion >= 2) throw unfinished(iterationsOf(context, itemIndex), itemIndex);
  const answer = isUnfinished ? 'Agent stopped due to max iterations.' : output;
  if (memory)
    await memory.append([user, { role: 'assistant', content: isUnfinished ? stringOf(answer) : text }], context.signal);
  const json: JsonObject = { output: answer };
  if (booleanParameter(context, 'options.returnIntermediateSteps', itemIndex, false))
    json['intermediateSteps'] = shownSteps(steps);
  return { json, pairedItem: { item: itemIndex } };
}

function shownSteps(steps: AgentAnswer['steps']): JsonValue {
  return steps.map(({ call, result }) => ({
    action: { tool: call.name, toolInput: call.input, toolCallId: call.id },
    observation: typeof result.output === 'string' ? result.output : JSON.stringify(result.output),
  }));
}

function unfinished(max: number, itemIndex: number): NodeOperationError {
  return new NodeOperationError(`the agent did not finish within ${max} iterations`, {
    itemIndex,
    description: 'Raise "Max Iterations", give the agent a clearer task, or check the tools: the run data shows each call',
  });
}

function iterationsOf(context: ExecuteContext, itemIndex: number): number {
  const wanted = numberParameter(context, 'options.maxIterations', itemIndex, 10);
  return Math.min(Math.max(1, Math.trunc(wanted)), maxIterations);
}

function systemOf(context: ExecuteContext, itemIndex: number, parser: OutputParser | undefined): ChatMessage[] {
  const system = textParameter(context, 'options.systemMessage', itemIndex, 'You are a helpful assistant');
  const content = [system, parser?.instructions].filter(Boolean).join('\n\n');
  return content === '' ? [] : [{ role: 'system', content }];
}

async function userOf(context: ExecuteContext, itemIndex: number, prompt: string | undefined): Promise<ChatMessage> {
  const field = textParameter(context, 'promptType', itemIndex, 'auto') === 'guardrails' ? 'guardrailsInput' : 'chatInput';
  const withImages = booleanParameter(context, 'options.passthroughBinaryImages', itemIndex, true);
  return userMessage(prompt ?? promptOf(context, itemIndex, field), withImages ? await imagesOf(context, itemIndex) : []);
}

/** Approximate number of characters per token. */
const charactersPerToken = 4;

/** The newest messages within the token limit, which is estimated. */
function limited(messages: readonly ChatMessage[], context: ExecuteContext, itemIndex: number): readonly ChatMessage[] {
  const max = numberParameter(context, 'options.maxTokensFromMemory', itemIndex, 0) * charactersPerToken;
  if (max <= 0) return messages;
  let length = 0;
  const from = messages.findLastIndex((message) => {
    length += JSON.stringify(message.content).length;
    return length > max;
  });
  return messages.slice(from + 1);
}

interface Stream {
  chunk: OnChunk;
  end(): Promise<void>;
}

/** Streams the answer if the caller reads a stream. */
function streamTo(context: ExecuteContext, itemIndex: number): Stream | undefined {
  const { sendChunk } = context;
  if (!sendChunk || context.typeVersion < 2.2 || respondsByNodes(context)) return undefined;
  if (!booleanParameter(context, 'options.enableStreaming', itemIndex, true)) return undefined;
  let isOpen = false;
  return {
    chunk: async (chunk) => {
      // An agent that resumes after a wait started its stream earlier.
      isOpen ||= chunk.type === 'result' && chunk.isReplayed === true;
      if (!isOpen) await sendChunk({ type: 'begin', itemIndex });
      isOpen = true;
      if (chunk.type === 'text') await sendChunk({ type: 'item', content: chunk.text, itemIndex });
    },
    end: () => sendChunk({ type: 'end', itemIndex }),
  };
}
