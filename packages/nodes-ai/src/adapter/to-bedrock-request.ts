import {
  argumentsOf,
  type ChatMessage,
  type FilePart,
  type JsonObject,
  type JsonValue,
  type MessagePart,
  ModelError,
  type ModelRequest,
  textOf,
} from '@sluice/node-sdk';

/** A request in Converse API format, without the model settings. */
export function toBedrockRequest({ messages, tools = [], toolChoice = 'auto', schema }: ModelRequest): JsonObject {
  const system = messages.filter(({ role }) => role === 'system').map(textOf);
  if (schema) system.push(`Answer only with JSON that matches this JSON Schema: ${JSON.stringify(schema)}`);
  const instructions = system.filter((text) => text.trim() !== '');
  const declares = tools.length > 0 && toolChoice !== 'none';
  const turns = messages.filter(({ role }) => role !== 'system');
  return {
    messages: turnsOf(declares ? turns : turns.map(withoutToolUse)),
    ...(instructions.length > 0 && { system: instructions.map((text) => ({ text })) }),
    ...(declares && {
      toolConfig: {
        tools: tools.map(({ name, description, inputSchema }) => ({
          toolSpec: { name, ...(description !== '' && { description }), inputSchema: { json: inputSchema } },
        })),
        ...(toolChoice === 'required' && { toolChoice: { any: {} } }),
      },
    }),
  };
}

/**
 * Tool calls and their results as text: the API rejects them in a request that declares no tools.
 */
function withoutToolUse(message: ChatMessage): ChatMessage {
  return typeof message.content === 'string' ? message : { ...message, content: message.content.map(withoutCall) };
}

function withoutCall(part: MessagePart): MessagePart {
  if (part.type === 'toolCall') return { type: 'text', text: `[call of the tool ${part.name}: ${JSON.stringify(part.input)}]` };
  if (part.type !== 'toolResult') return part;
  const outcome = part.isError ? 'failure' : 'result';
  return { type: 'text', text: `[${outcome} of the tool ${part.name}: ${outputText(part.output)}]` };
}

/**
 * The API requires user and assistant turns to alternate, and rejects empty ones. Tool results
 * belong to the user.
 */
function turnsOf(messages: readonly ChatMessage[]): JsonObject[] {
  const turns: { role: string; content: JsonObject[] }[] = [];
  const name = fileNames();
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = partsOf(message).flatMap((part) => toBlock(part, name));
    if (content.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content });
  }
  return turns;
}

function partsOf({ content }: ChatMessage): readonly MessagePart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function toBlock(part: MessagePart, nameOf: (file: FilePart) => string): JsonObject[] {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [{ text: part.text }];
    case 'reasoning': {
      const own = part.providerData?.['bedrock'];
      return own === undefined ? [] : [{ reasoningContent: own }];
    }
    case 'file':
      return [fileBlock(part, nameOf)];
    case 'toolCall': {
      const { id: toolUseId, name } = part;
      return [{ toolUse: { toolUseId, name, input: argumentsOf(part) } }];
    }
    default: {
      const { id: toolUseId, output, isError } = part;
      return [{ toolResult: { toolUseId, content: [{ text: outputText(output) }], ...(isError && { status: 'error' }) } }];
    }
  }
}

function outputText(output: JsonValue): string {
  return typeof output === 'string' && output.trim() !== '' ? output : JSON.stringify(output);
}

const images: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/jpg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};
const documents: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'text/csv': 'csv',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'text/html': 'html',
  'text/plain': 'txt',
  'text/markdown': 'md',
};

function fileBlock(file: FilePart, nameOf: (file: FilePart) => string): JsonObject {
  const { data, mediaType } = file;
  if (typeof data === 'string')
    throw new ModelError('invalidRequest', 'Bedrock does not read files from URLs: download the file first, and send it');
  const [type = ''] = mediaType.toLowerCase().split(';', 1);
  const source = { bytes: Buffer.from(data).toString('base64') };
  const image = type === 'image/*' ? imageFormatOf(data) : new Map(Object.entries(images)).get(type);
  if (image !== undefined) return { image: { format: image, source } };
  const format = new Map(Object.entries(documents)).get(type);
  if (format !== undefined) return { document: { format, name: nameOf(file), source } };
  throw new ModelError('invalidRequest', `Bedrock does not read files of type ${mediaType}`);
}

/** Detected by its first bytes. */
function imageFormatOf(data: Uint8Array): string {
  if (data[0] === 0xff) return 'jpeg';
  if (data[0] === 0x47) return 'gif';
  return data[0] === 0x52 ? 'webp' : 'png';
}

/** Document names: the API allows few characters, and each name once. */
function fileNames(): (file: FilePart) => string {
  let count = 0;
  return ({ fileName = '' }) => {
    count += 1;
    const plain = fileName.replaceAll(/[^A-Za-z0-9()[\]-]+/g, ' ').trim();
    return `${plain.slice(0, 100)} ${count}`.trim();
  };
}
