import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type ExecuteContext,
  fromAiSchema,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  type NodeType,
  ownProperty,
  type Tool,
} from '@sluice/node-sdk';
import { booleanParameter, coercedText, text, textParameter } from '@sluice/nodes-base/node-tools';
import { toolName } from '../../shared/tool-name.ts';
import { agent } from '../agent/agent.ts';
import { answerItem } from '../agent/execute-agent.ts';

const { description } = agent;
/** Properties that only the agent itself has. */
const ownOfAgent: ReadonlySet<string> = new Set(['agent', 'promptType', 'text']);
const standard = 'AI Agent that can call other tools';

/** The prompt of a call to a node that has no prompt. */
const givenPrompt = new AsyncLocalStorage<string>();

/**
 * An agent as a tool of another agent. Its model and tool calls are node runs within the run of the
 * tool.
 */
export const agentTool: NodeType = {
  description: {
    ...description,
    displayName: 'AI Agent Tool',
    name: 'agent-tool',
    version: [2.2, 3],
    description: 'Lets an agent give a task to another agent, which has its own model and tools',
    defaults: { name: 'AI Agent Tool' },
    inputs: [],
    outputs: ['ai_tool'],
    properties: [
      text('toolDescription', 'Description', 'When the model should use the tool', { default: standard }),
      text('text', 'Prompt', 'The message of the user; without it, the calling model writes it'),
      ...description.properties.filter(({ name }) => !ownOfAgent.has(name)),
    ],
  },
  supply: (context, itemIndex) => supplyTool(context, itemIndex),
  execute: async (context) => [[await answerItem(context, 0, { prompt: givenPrompt.getStore() })]],
};

async function supplyTool(context: ExecuteContext, itemIndex: number): Promise<Tool> {
  const hasPrompt = ownProperty(context.node.parameters, 'text') !== undefined;
  return {
    name: toolName(context.node.name),
    description: textParameter(context, 'toolDescription', itemIndex, standard),
    inputSchema: await (hasPrompt ? fromAiSchema(context.node.parameters) : promptSchema(context)),
    run: (input) => answer(context, isJsonObject(input) ? input : {}, itemIndex, hasPrompt),
  };
}

/** A prompt, and arguments for other parameters. */
async function promptSchema({ node }: ExecuteContext): Promise<JsonObject> {
  const schema = await fromAiSchema(node.parameters);
  const prompt = { type: 'string', description: 'the task, with everything that the agent needs to know' };
  return {
    ...schema,
    properties: { ...(schema['properties'] as JsonObject), prompt },
    required: [...(schema['required'] as string[]), 'prompt'],
  };
}

async function answer(context: ExecuteContext, input: JsonObject, itemIndex: number, hasPrompt: boolean): Promise<JsonValue> {
  const { runAsTool } = context;
  if (!runAsTool) throw new NodeOperationError('the agent cannot run as a tool here');
  const prompt = hasPrompt ? '' : coercedText(ownProperty(input, 'prompt'));
  const run = () => context.runAsTool?.(input, itemIndex);
  const outputs = await (hasPrompt ? run() : givenPrompt.run(prompt, run));
  const json = outputs?.[0]?.[0]?.json ?? {};
  const withSteps = booleanParameter(context, 'options.returnIntermediateSteps', itemIndex, false);
  return withSteps ? json : (ownProperty(json, 'output') ?? '');
}
