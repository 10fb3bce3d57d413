import {
  type ChatMessage,
  isNodeOperationError,
  type JsonValue,
  type LanguageModel,
  type ModelResult,
  type OutputParser,
  type Tool,
  type ToolCall,
  type ToolResultPart,
} from '@sluice/node-sdk';
import type { TaskOptions } from '@sluice/nodes-base/node-tools';
import { askModel, assertAnswered, type OnChunk } from '../../shared/ask-model.ts';
import { runTools } from '../../shared/run-tools.ts';

/** How often an answer that the output parser rejects is returned to the model. */
const maxCorrections = 2;

interface AgentTask {
  /** The model, and its fallback. */
  models: readonly LanguageModel[];
  tools: readonly Tool[];
  parser?: OutputParser | undefined;
  /** System, history, and user. */
  messages: readonly ChatMessage[];
  maxIterations: number;
  signal: AbortSignal;
  owner: TaskOptions['owner'];
  onChunk?: OnChunk | undefined;
}

/** A tool call and its result. */
interface AgentStep {
  call: ToolCall;
  result: ToolResultPart;
}

export interface AgentAnswer {
  output: JsonValue;
  /** The text of the last answer. */
  text: string;
  steps: readonly AgentStep[];
  /** The messages that this run added to the given ones. */
  added: readonly ChatMessage[];
  /** The agent stopped at its limit; `output` is empty text. */
  isUnfinished: boolean;
}

/**
 * Asks the model, runs the tools that it calls, and repeats with their results until it answers.
 * States: ask → (run tools → ask)* → parse → (correct → ask)* → done. Stops after `maxIterations`
 * model calls.
 */
export async function runAgent(task: AgentTask): Promise<AgentAnswer> {
  const steps: AgentStep[] = [];
  const added: ChatMessage[] = [];
  let corrections = 0;
  const done = (output: JsonValue, text: string, isUnfinished = false) => ({ output, text, steps, added, isUnfinished });
  for (let iteration = 0; iteration < task.maxIterations; iteration += 1) {
    const result = await ask(task, added);
    added.push({ role: 'assistant', content: result.content });
    if (result.toolCalls.length > 0) {
      const results = await runTools(task, result.toolCalls);
      added.push({ role: 'tool', content: results });
      steps.push(...result.toolCalls.map((call, index) => ({ call, result: results[index] as ToolResultPart })));
      const direct = directResult(task.tools, results);
      if (direct) return done(direct.output, textOfOutput(direct.output));
      continue;
    }
    assertAnswered(result, task.parser !== undefined);
    const parsed = await parse(task, result.text, corrections);
    if ('output' in parsed) return done(parsed.output, result.text);
    corrections += 1;
    added.push({ role: 'user', content: parsed.correction });
  }
  return done('', '', true);
}

function ask({ models, tools, messages, signal, onChunk }: AgentTask, added: readonly ChatMessage[]): Promise<ModelResult> {
  const specs = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return askModel(models, { messages: [...messages, ...added], ...(specs.length > 0 && { tools: specs }) }, signal, onChunk);
}

function directResult(tools: readonly Tool[], results: readonly ToolResultPart[]): ToolResultPart | undefined {
  const direct = new Set(tools.filter(({ returnsDirectly }) => returnsDirectly).map(({ name }) => name));
  return results.find(({ name, isError }) => direct.has(name) && !isError);
}

async function parse(
  { parser, signal }: AgentTask,
  text: string,
  corrections: number,
): Promise<{ output: JsonValue } | { correction: string }> {
  if (!parser) return { output: text };
  try {
    return { output: await parser.parse(text, signal) };
  } catch (error) {
    if (signal.aborted || !isNodeOperationError(error) || corrections >= maxCorrections) throw error;
    return { correction: `${error.message}\n\n${parser.instructions}` };
  }
}

function textOfOutput(output: JsonValue): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}
