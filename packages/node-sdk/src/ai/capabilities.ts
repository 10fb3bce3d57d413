import type { JsonObject, JsonValue } from '@sluice/domain';
import type { LanguageModel, TokenUsage, ToolSpec } from './language-model.ts';
import type { ChatMessage } from './messages.ts';

/** Supplied over `ai_tool`, alone or in a list. */
export interface Tool extends ToolSpec {
  /** The result is the answer to the user: the agent does not call the model again. */
  readonly returnsDirectly?: boolean;
  /**
   * Runs with arguments written by a model, so validate them. An error is returned to the model as
   * text; write its message for the model.
   */
  run(input: JsonValue, signal: AbortSignal): Promise<JsonValue>;
}

/** Supplied over `ai_memory`: the conversation of one session, which the memory's node names. */
export interface Memory {
  /** The messages to pass to the model, oldest first. `all: true`: all stored messages. */
  load(input: JsonObject, signal: AbortSignal): Promise<readonly ChatMessage[]>;
  append(messages: readonly ChatMessage[], signal: AbortSignal): Promise<void>;
  /** Deletes all messages. `last`: only this many of the newest. */
  clear(input: JsonObject, signal: AbortSignal): Promise<void>;
}

/** Supplied over `ai_outputParser`. */
export interface OutputParser {
  /** JSON Schema of the parsed value, for models that can ensure it; absent: any string. */
  readonly schema?: JsonObject;
  /** Prompt text with the format of the answer. */
  readonly instructions: string;
  /** Throws `NodeOperationError` if the text does not match, with a message for a model. */
  parse(text: string, signal: AbortSignal): Promise<JsonValue>;
}

export interface Embeddings {
  /** In the order of the strings. */
  vectors: readonly (readonly number[])[];
  usage?: TokenUsage;
}

/** Supplied over `ai_embedding`. */
export interface Embedding {
  readonly provider: string;
  readonly modelId: string;
  /** Any number of strings: the implementation splits them into requests. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embeddings>;
}

/** A piece of text with data about it. */
export interface TextDocument {
  text: string;
  metadata: JsonObject;
}

/** Supplied over `ai_document`: the documents of one item of the requesting node, already split. */
export interface DocumentLoader {
  load(input: JsonObject, signal: AbortSignal): Promise<readonly TextDocument[]>;
}

/** Supplied over `ai_textSplitter`. */
export interface TextSplitter {
  split(documents: readonly TextDocument[], signal: AbortSignal): Promise<readonly TextDocument[]>;
}

export interface FoundDocument extends TextDocument {
  /** A higher score means a closer match. */
  score: number;
}

export interface VectorQuery {
  text: string;
  /** Maximum number of documents. */
  topK: number;
  /** In the store's own format. */
  filter?: JsonObject;
}

/** Supplied over `ai_vectorStore`; it embeds strings with the embedding that is connected to it. */
export interface VectorStore {
  /** Resolves to the IDs. */
  add(documents: readonly TextDocument[], signal: AbortSignal): Promise<readonly string[]>;
  /** Closest first. */
  search(query: VectorQuery, signal: AbortSignal): Promise<readonly FoundDocument[]>;
}

/** Supplied over `ai_retriever`. */
export interface Retriever {
  retrieve(query: string, signal: AbortSignal): Promise<readonly TextDocument[]>;
}

export interface RerankRequest {
  query: string;
  documents: readonly TextDocument[];
  /** Maximum number of documents to return; absent: all. */
  topK?: number;
}

/** Supplied over `ai_reranker`. */
export interface Reranker {
  readonly modelId: string;
  /** Most relevant first. */
  rerank(request: RerankRequest, signal: AbortSignal): Promise<readonly FoundDocument[]>;
}

/** Connection type → what a sub-node supplies over it. */
export interface Capabilities {
  ai_languageModel: LanguageModel;
  ai_tool: Tool;
  ai_memory: Memory;
  ai_outputParser: OutputParser;
  ai_embedding: Embedding;
  ai_document: DocumentLoader;
  ai_textSplitter: TextSplitter;
  ai_vectorStore: VectorStore;
  ai_retriever: Retriever;
  ai_reranker: Reranker;
}
export type CapabilityType = keyof Capabilities;

/**
 * Capability methods whose calls are recorded as separate node runs. All take an input of plain
 * data and a signal.
 */
export const recordedMethods: { readonly [T in CapabilityType]: readonly (keyof Capabilities[T] & string)[] } = {
  ai_languageModel: ['generate', 'stream'],
  ai_tool: ['run'],
  ai_memory: ['load', 'append', 'clear'],
  ai_outputParser: ['parse'],
  ai_embedding: ['embed'],
  ai_document: ['load'],
  ai_textSplitter: ['split'],
  ai_vectorStore: ['add', 'search'],
  ai_retriever: ['retrieve'],
  ai_reranker: ['rerank'],
};

/** A capability, and the node that supplies it. */
export interface Connected<T extends CapabilityType> {
  readonly nodeName: string;
  /** The node's type identifier and version. */
  readonly nodeType: string;
  readonly typeVersion: number;
  readonly value: Capabilities[T];
}
