/**
 * Connection types. Items flow along `main`. Over any other type, a sub-node supplies a capability
 * to its node.
 */
export const connectionTypes = [
  'main',
  'ai_agent',
  'ai_chain',
  'ai_document',
  'ai_embedding',
  'ai_languageModel',
  'ai_memory',
  'ai_outputParser',
  'ai_reranker',
  'ai_retriever',
  'ai_textSplitter',
  'ai_tool',
  'ai_vectorStore',
] as const;
export type ConnectionType = (typeof connectionTypes)[number];
