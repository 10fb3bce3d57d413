/** Types of connections, under both names that packages use. */
export const NodeConnectionTypes = Object.freeze({
  Main: 'main',
  AiAgent: 'ai_agent',
  AiChain: 'ai_chain',
  AiDocument: 'ai_document',
  AiEmbedding: 'ai_embedding',
  AiLanguageModel: 'ai_languageModel',
  AiMemory: 'ai_memory',
  AiOutputParser: 'ai_outputParser',
  AiReranker: 'ai_reranker',
  AiRetriever: 'ai_retriever',
  AiTextSplitter: 'ai_textSplitter',
  AiTool: 'ai_tool',
  AiVectorStore: 'ai_vectorStore',
});

export const BINARY_ENCODING = 'base64';
export const BINARY_MODE_COMBINED = 'combined';
/** A time that is never reached. */
export const WAIT_INDEFINITELY = new Date('3000-01-01T00:00:00.000Z');
export const SEND_AND_WAIT_OPERATION = 'sendAndWait';
export const CONSOLE_OUTPUT_REDACTED_MESSAGE = 'The output is not shown';
export const FORM_TRIGGER_PATH_IDENTIFIER = 'n8n-form';

/** Identifiers of types, as in workflows. */
const nodeTypes = {
  CHAT_TRIGGER_NODE_TYPE: '@n8n/n8n-nodes-langchain.chatTrigger',
  CODE_NODE_TYPE: 'n8n-nodes-base.code',
  ERROR_TRIGGER_NODE_TYPE: 'n8n-nodes-base.errorTrigger',
  EVALUATION_TRIGGER_NODE_TYPE: 'n8n-nodes-base.evaluationTrigger',
  EXECUTE_WORKFLOW_NODE_TYPE: 'n8n-nodes-base.executeWorkflow',
  EXECUTE_WORKFLOW_TRIGGER_NODE_TYPE: 'n8n-nodes-base.executeWorkflowTrigger',
  FORM_NODE_TYPE: 'n8n-nodes-base.form',
  FORM_TRIGGER_NODE_TYPE: 'n8n-nodes-base.formTrigger',
  HTTP_REQUEST_NODE_TYPE: 'n8n-nodes-base.httpRequest',
  MANUAL_TRIGGER_NODE_TYPE: 'n8n-nodes-base.manualTrigger',
  MYSQL_NODE_TYPE: 'n8n-nodes-base.mySql',
  POSTGRES_NODE_TYPE: 'n8n-nodes-base.postgres',
  RESPOND_TO_WEBHOOK_NODE_TYPE: 'n8n-nodes-base.respondToWebhook',
  SCHEDULE_TRIGGER_NODE_TYPE: 'n8n-nodes-base.scheduleTrigger',
  SET_NODE_TYPE: 'n8n-nodes-base.set',
  STICKY_NODE_TYPE: 'n8n-nodes-base.stickyNote',
  WAIT_NODE_TYPE: 'n8n-nodes-base.wait',
  WEBHOOK_NODE_TYPE: 'n8n-nodes-base.webhook',
} as const;

export const nodeTypeConstants: Readonly<Record<string, string>> = nodeTypes;
