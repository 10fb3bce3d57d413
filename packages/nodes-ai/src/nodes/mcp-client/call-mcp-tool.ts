import {
  type ExecuteContext,
  type Item,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type NodeOutput,
  ownProperty,
} from '@sluice/node-sdk';
import {
  booleanParameter,
  choiceParameter,
  convertValue,
  listParameter,
  mapItemsAsync,
  objectParameter,
  parseJsonText,
  refuseUnsupported,
  setOwn,
  storeBinaryByType,
} from '@sluice/nodes-base/node-tools';
import { maxParts, toolOutput } from '../../shared/mcp-output.ts';
import { mcpTransportOf, mcpUnsupportedUses, withMcpServer } from '../../shared/mcp-server.ts';
import { modelIdOf } from '../../shared/model-list.ts';

/** Calls the tool once for each item. */
export async function callMcpTool(context: ExecuteContext): Promise<NodeOutput> {
  return [await mapItemsAsync(context, (item, itemIndex) => callFor(context, item, itemIndex))];
}

async function callFor(context: ExecuteContext, item: Item, itemIndex: number): Promise<Item> {
  refuseUnsupported(context, mcpUnsupportedUses, itemIndex);
  const name = modelIdOf(context, itemIndex, 'tool', '', 'tool');
  const args = argumentsOf(context, item, itemIndex);
  const transport = mcpTransportOf(context, itemIndex, 'httpStreamable');
  const use = { context, itemIndex, signal: context.signal, endpoint: 'endpointUrl', transport };
  const result = await withMcpServer(use, (session) => session.callTool(name, args));
  // Throws an error with the text of a failed call.
  if (result['isError'] === true) toolOutput(result);
  return toItem(context, result, itemIndex);
}

function argumentsOf(context: ExecuteContext, item: Item, itemIndex: number): JsonObject {
  if (choiceParameter(context, 'inputMode', itemIndex, ['manual', 'json'], 'manual') === 'json')
    return objectParameter(context, 'jsonInput', itemIndex);
  const modes = ['defineBelow', 'autoMapInputData'] as const;
  const isAutomatic = choiceParameter(context, 'parameters.mappingMode', itemIndex, modes, 'defineBelow') === modes[1];
  const written = context.parameter<JsonValue>('parameters.value', itemIndex);
  const schema = new Map(listParameter(context, 'parameters.schema', itemIndex).map((field) => [field['id'], field]));
  const args: JsonObject = {};
  for (const [name, value] of Object.entries(isAutomatic ? item.json : isJsonObject(written) ? written : {})) {
    const field = schema.get(name);
    // The server may reject arguments that its tool does not have.
    if (value === null || field?.['removed'] === true || (isAutomatic && !field)) continue;
    setOwn(args, name, typed(value, field));
  }
  return args;
}

const types = ['string', 'number', 'boolean', 'array', 'object'] as const;

/**
 * The value converted to the type of its argument, since expressions often return strings. A value
 * that does not convert is sent unchanged: the server rejects it with a better message.
 */
function typed(value: JsonValue, field: JsonObject | undefined): JsonValue {
  const type = types.find((candidate) => candidate === field?.['type']);
  return type ? (convertValue(value, type) ?? value) : value;
}

async function toItem(context: ExecuteContext, result: JsonObject, itemIndex: number): Promise<Item> {
  const storesFiles = booleanParameter(context, 'options.convertToBinary', itemIndex, true);
  const written = ownProperty(result, 'content');
  const content: JsonValue[] = [];
  const binary: NonNullable<Item['binary']> = {};
  for (const part of Array.isArray(written) ? written.slice(0, maxParts) : []) {
    const data = storesFiles ? dataOf(part) : undefined;
    if (data) binary[`data_${Object.keys(binary).length}`] = await storeBinaryByType(context, itemIndex, data.bytes, data);
    else content.push(await parsed(part, itemIndex));
  }
  const structured = ownProperty(result, 'structuredContent');
  return {
    json: { content, ...(structured !== undefined && { structuredContent: structured }) },
    ...(Object.keys(binary).length > 0 && { binary }),
    pairedItem: { item: itemIndex },
  };
}

/** The bytes of an image or audio. */
function dataOf(part: JsonValue): { bytes: Uint8Array; fileName: string; mimeType: string } | undefined {
  if (!isJsonObject(part) || (part['type'] !== 'image' && part['type'] !== 'audio')) return undefined;
  const { data, mimeType } = part;
  if (typeof data !== 'string') return undefined;
  return { bytes: Buffer.from(data, 'base64'), fileName: '', mimeType: typeof mimeType === 'string' ? mimeType : '' };
}

/** Parses text that is a JSON object or array; other parts are unchanged. */
async function parsed(part: JsonValue, itemIndex: number): Promise<JsonValue> {
  if (!isJsonObject(part) || part['type'] !== 'text' || typeof part['text'] !== 'string') return part;
  const { text } = part;
  if (!/^\s{0,100}[[{]/.test(text)) return part;
  try {
    return { ...part, text: await parseJsonText(text, itemIndex) };
  } catch {
    return part;
  }
}
