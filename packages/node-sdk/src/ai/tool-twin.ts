import { type Item, isJsonObject, type JsonObject, type JsonValue } from '@sluice/domain';
import type { ExecuteContext } from '../context.ts';
import type { NodeProperty, NodeTypeDescription } from '../description.ts';
import { NodeOperationError } from '../errors/node-error.ts';
import type { NodeType } from '../node-type.ts';
import { fromAiSchema, type Tool } from './index.ts';
import { toolProperties } from './tool-properties.ts';

/** Maximum length of a tool name that providers accept. */
const maxNameLength = 64;

const twins = new WeakMap<NodeType, NodeType>();

/**
 * The type as an agent tool: each call runs it for one item, with the model's arguments in
 * `$fromAI()`. `undefined` if the type is not usable as a tool.
 */
export function toolTwinOf(type: NodeType): NodeType | undefined {
  if (!type.description.usableAsTool) return undefined;
  const twin = twins.get(type) ?? createTwin(type);
  twins.set(type, twin);
  return twin;
}

function createTwin({ description, unsupported, asTool, execute, versions, methods }: NodeType): NodeType {
  const run = asTool?.execute ?? execute;
  const inner = Object.entries(versions ?? {}).map(([version, one]) => [version, createTwin(one)] as const);
  return {
    description: twinDescription(description, asTool?.properties),
    ...(unsupported && { unsupported }),
    ...(methods && { methods }),
    ...(run && { execute: run }),
    supply: (context, itemIndex) => toolOf(context, itemIndex),
    ...(versions && { versions: Object.fromEntries(inner) }),
  };
}

function twinDescription(description: NodeTypeDescription, own: readonly NodeProperty[] = []): NodeTypeDescription {
  const { displayName, name, properties, webhooks: _, hooks: __, usableAsTool: ___, ...rest } = description;
  return {
    ...rest,
    displayName: `${displayName} Tool`,
    name: `${name}-tool`,
    defaults: { name: `${displayName} Tool` },
    inputs: [],
    outputs: ['ai_tool'],
    properties: [...toolProperties, ...properties, ...own],
  };
}

async function toolOf(context: ExecuteContext, itemIndex: number): Promise<Tool> {
  const { node } = context;
  return {
    name: toolNameOf(node.name),
    description: writtenDescription(context, itemIndex) || describe(context, itemIndex),
    inputSchema: await fromAiSchema(node.parameters),
    run: async (input) => toResult(await call(context, input, itemIndex)),
  };
}

/** The parameter is empty if the description is set automatically. */
function writtenDescription(context: ExecuteContext, itemIndex: number): string {
  if (context.parameter<JsonValue>('descriptionType', itemIndex, 'manual') === 'auto') return '';
  const written = context.parameter<JsonValue>('toolDescription', itemIndex, '');
  return typeof written === 'string' ? written : '';
}

async function call(context: ExecuteContext, input: JsonValue, itemIndex: number): Promise<readonly Item[]> {
  if (!context.runAsTool) throw new NodeOperationError('the node cannot run as a tool here');
  const outputs = await context.runAsTool(isJsonObject(input) ? input : {}, itemIndex);
  return outputs[0] ?? [];
}

/** JSON of one item, or a list. */
function toResult(items: readonly Item[]): JsonValue {
  const json = items.map((item) => item.json);
  return json.length === 1 ? (json[0] as JsonObject) : json;
}

/** Derived from what the node does: `Get many messages in Gmail`. */
function describe(context: ExecuteContext, itemIndex: number): string {
  const read = (name: string) => String(context.parameter<JsonValue>(name, itemIndex, '') ?? '');
  const parts = [read('operation'), read('resource')].filter((part) => part !== '');
  return parts.length === 0 ? `Runs the node "${context.node.name}"` : `${parts.join(' ')} (${context.node.name})`;
}

function toolNameOf(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, maxNameLength) || 'tool';
}
