import { type ExecuteContext, type Item, type JsonObject, NodeOperationError, type ToolCall } from '@sluice/node-sdk';
import {
  booleanParameter,
  listParameter,
  namesParameter,
  numberParameter,
  stringOf,
  textParameter,
} from '@sluice/nodes-base/node-tools';
import { toolsOf, untilAnswered } from '../../shared/called-tools.ts';
import { modelIdOf } from '../../shared/model-list.ts';
import { optionValues } from '../../shared/option-values.ts';
import { askClaude, blocksOf, type MessageRequest, textOfBlocks } from './call-anthropic.ts';
import { attachments } from './file-blocks.ts';

/** Answers to messages. https://docs.claude.com/en/api/messages */
export async function messageAnthropic(context: ExecuteContext, itemIndex: number): Promise<Item> {
  const messages = await messagesOf(context, itemIndex);
  const tools = await toolsOf(context, itemIndex);
  const declared = tools.map(
    ({ name, description, inputSchema }): JsonObject => ({ name, description, input_schema: inputSchema }),
  );
  const request = requestOf(context, itemIndex, declared);
  const answer = await untilAnswered<JsonObject>(context, itemIndex, tools, async (previous, results) => {
    if (previous) {
      messages.push({ role: 'assistant', content: blocksOf(previous.answer) });
      messages.push({ role: 'user', content: previous.calls.map(({ id }, index) => resultBlock(id, results[index] ?? '')) });
    }
    const next = await askClaude(context, itemIndex, request, messages);
    return { answer: next, calls: callsIn(next) };
  });
  return { json: shownAnswer(context, itemIndex, answer), pairedItem: { item: itemIndex } };
}

/** The content, or the whole response. */
export function shownAnswer(context: ExecuteContext, itemIndex: number, answer: JsonObject): JsonObject {
  const isSimple = booleanParameter(context, 'simplify', itemIndex, true);
  const isMerged = booleanParameter(context, 'options.includeMergedResponse', itemIndex, false);
  return {
    ...(isSimple ? { content: blocksOf(answer) } : answer),
    ...(isMerged && { merged_response: textOfBlocks(answer) }),
  };
}

async function messagesOf(context: ExecuteContext, itemIndex: number): Promise<JsonObject[]> {
  const written = listParameter(context, 'messages.values', itemIndex).map(
    ({ role, content }): JsonObject => ({
      role: role === 'assistant' ? 'assistant' : 'user',
      content: typeof content === 'string' ? content : JSON.stringify(content ?? ''),
    }),
  );
  if (written.length === 0)
    throw new NodeOperationError('there is no message', { itemIndex, description: 'Add one in "Messages"' });
  if (!booleanParameter(context, 'addAttachments', itemIndex, false)) return written;
  const files = await attachments(context, itemIndex);
  const at = written.findLastIndex(({ role }) => role === 'user');
  const last = written[at];
  if (!last) return [...written, { role: 'user', content: files }];
  return written.with(at, { ...last, content: [...files, { type: 'text', text: last['content'] ?? '' }] });
}

function requestOf(context: ExecuteContext, itemIndex: number, declared: readonly JsonObject[]): MessageRequest {
  const runsCode = booleanParameter(context, 'options.codeExecution', itemIndex, false);
  const tools = [
    ...declared,
    ...(runsCode ? [{ type: 'code_execution_20250522', name: 'code_execution' }] : []),
    ...webSearch(context, itemIndex),
  ];
  return {
    json: {
      model: modelIdOf(context, itemIndex, 'modelId', ''),
      max_tokens: Math.max(1, Math.trunc(numberParameter(context, 'options.maxTokens', itemIndex, 1_024))),
      ...optionValues(context, itemIndex, { system: 'system', temperature: 'temperature', top_p: 'topP', top_k: 'topK' }),
      ...(tools.length > 0 && { tools }),
    },
    betas: runsCode ? ['code-execution-2025-05-22'] : [],
    recorded: declared.length > 0,
  };
}

/** The search that Anthropic runs. */
function webSearch(context: ExecuteContext, itemIndex: number): JsonObject[] {
  if (!booleanParameter(context, 'options.webSearch', itemIndex, false)) return [];
  const domains = (name: string) => namesParameter(context, `options.${name}`, itemIndex);
  const [allowed, blocked] = [domains('allowedDomains'), domains('blockedDomains')];
  const uses = Math.max(1, Math.trunc(numberParameter(context, 'options.maxUses', itemIndex, 5)));
  return [
    {
      type: 'web_search_20250305',
      name: 'web_search',
      max_uses: uses,
      ...(allowed.length > 0 && { allowed_domains: allowed }),
      ...(blocked.length > 0 && { blocked_domains: blocked }),
    },
  ];
}

function callsIn(answer: JsonObject): ToolCall[] {
  const calls = blocksOf(answer).filter(({ type }) => type === 'tool_use');
  return calls.map(({ id, name, input }) => ({ id: stringOf(id), name: stringOf(name), input: input ?? {} }));
}

const resultBlock = (id: string, content: string): JsonObject => ({ type: 'tool_result', tool_use_id: id, content });

/** A question about files. */
export function analyzed(kind: 'document' | 'image') {
  return async (context: ExecuteContext, itemIndex: number): Promise<Item> => {
    const question = textParameter(context, 'text', itemIndex, `What's in this ${kind}?`);
    const files = await attachments(context, itemIndex, kind);
    const json = {
      model: modelIdOf(context, itemIndex, 'modelId', ''),
      max_tokens: Math.max(1, Math.trunc(numberParameter(context, 'options.maxTokens', itemIndex, 1_024))),
    };
    const messages: JsonObject[] = [{ role: 'user', content: [...files, { type: 'text', text: question }] }];
    const answer = await askClaude(context, itemIndex, { json }, messages);
    return { json: shownAnswer(context, itemIndex, answer), pairedItem: { item: itemIndex } };
  };
}
