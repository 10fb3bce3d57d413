import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { aiIdentifiersOf, type NodeType, toolTwinOf } from '@sluice/node-sdk';
import { usePublishedCode } from './published-code.ts';

/** Each type is in `nodes/<name>/<name>.ts`, under its camel-case name. */
const names = [
  'agent',
  'agent-tool',
  'anthropic',
  'chain-llm',
  'chain-retrieval-qa',
  'chain-summarization',
  'chat',
  'chat-trigger',
  'document-default-data-loader',
  'embeddings-aws-bedrock',
  'embeddings-azure-open-ai',
  'embeddings-cohere',
  'embeddings-google-gemini',
  'embeddings-google-vertex',
  'embeddings-hugging-face-inference',
  'embeddings-mistral-cloud',
  'embeddings-ollama',
  'embeddings-open-ai',
  'google-gemini',
  'guardrails',
  'information-extractor',
  'lm-chat-anthropic',
  'lm-chat-aws-bedrock',
  'lm-chat-azure-open-ai',
  'lm-chat-cohere',
  'lm-chat-deep-seek',
  'lm-chat-google-gemini',
  'lm-chat-google-vertex',
  'lm-chat-groq',
  'lm-chat-mistral-cloud',
  'lm-chat-ollama',
  'lm-chat-open-ai',
  'lm-chat-open-router',
  'lm-chat-vercel-ai-gateway',
  'lm-chat-x-ai-grok',
  'lm-ollama',
  'lm-open-ai',
  'lm-open-hugging-face-inference',
  'manual-chat-trigger',
  'mcp-client',
  'mcp-client-tool',
  'mcp-trigger',
  'memory-buffer-window',
  'memory-manager',
  'memory-mongo-db-chat',
  'memory-postgres-chat',
  'memory-redis-chat',
  'model-selector',
  'ollama',
  'open-ai',
  'output-parser-autofixing',
  'output-parser-item-list',
  'output-parser-structured',
  'reranker-cohere',
  'retriever-contextual-compression',
  'retriever-multi-query',
  'retriever-vector-store',
  'retriever-workflow',
  'sentiment-analysis',
  'text-classifier',
  'text-splitter-character-text-splitter',
  'text-splitter-recursive-character-text-splitter',
  'text-splitter-token-splitter',
  'tool-calculator',
  'tool-code',
  'tool-http-request',
  'tool-sear-xng',
  'tool-serp-api',
  'tool-think',
  'tool-vector-store',
  'tool-wikipedia',
  'tool-wolfram-alpha',
  'tool-workflow',
  'vector-store-in-memory',
  'vector-store-mongo-d-b-atlas',
  'vector-store-p-g-vector',
  'vector-store-pinecone',
  'vector-store-qdrant',
  'vector-store-supabase',
  'vector-store-weaviate',
] as const;

const load = createRequire(import.meta.url);
const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
let isPrepared = extension === '.js';

/**
 * Type name → function that loads it. A module is loaded on first use and then kept: a process
 * without AI workflows loads neither the types nor their libraries.
 */
const aiNodeTypes: ReadonlyMap<string, () => NodeType> = new Map(names.map((name) => [name, () => loadType(name)]));

function loadType(name: string): NodeType {
  if (!isPrepared) usePublishedCode();
  isPrepared = true;
  const module = load(`./nodes/${name}/${name}${extension}`) as Record<string, NodeType>;
  const type = module[name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
  if (!type) throw new TypeError(`nodes/${name}/${name}${extension} does not export the node type ${name}`);
  return type;
}

/** All AI types, for lists. Loads them one by one and yields to the event loop after each. */
export async function loadAiNodeTypes(): Promise<NodeType[]> {
  const types: NodeType[] = [];
  for (const loadOne of aiNodeTypes.values()) {
    types.push(loadOne());
    await setImmediate();
  }
  return types;
}

/** A tool variant has the type's name plus `Tool` or `-tool`. */
const toolEnding = /(?:Tool|-tool)$/;

function twinFor(name: string, find: Registry['find']): NodeType | undefined {
  if (!toolEnding.test(name)) return undefined;
  const type = find(name.replace(toolEnding, ''));
  return type && toolTwinOf(type);
}

interface Registry {
  find(type: string): NodeType | undefined;
}

/**
 * Also finds AI types: by `ai.<name>`, and by their name in the de-facto format. Finds types that
 * are usable as tools by their tool name.
 */
export function withAiTypes<T extends Registry>(registry: T): T {
  const loaders = new Map(
    [...aiNodeTypes].flatMap(([name, loadOne]) => aiIdentifiersOf(name).map((identifier) => [identifier, loadOne])),
  );
  const find = (type: string) => loaders.get(type)?.() ?? registry.find(type);
  return { ...registry, find: (type: string) => find(type) ?? twinFor(type, find) };
}
