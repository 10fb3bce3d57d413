import type { Values } from '../values.ts';

/** Quotas of projects, retention, and maximum sizes of run data. */
export function limitGroups(values: Values) {
  return {
    /** Conversations that memory nodes keep. */
    chatSessions: {
      maxBytesPerWorkflow: values.CHAT_SESSIONS_MAX_BYTES_PER_WORKFLOW,
      /** Days after the last message. */
      retentionDays: values.CHAT_SESSION_RETENTION_DAYS,
    },
    /** Days for which lines are kept; 0: no limit. */
    audit: { retentionDays: values.AUDIT_RETENTION_DAYS },
    /**
     * Retention of ended executions: days after the end, by status, and number of newest executions
     * per project. 0: no limit.
     */
    retention: { days: values.EXECUTION_RETENTION_DAYS, maxPerProject: values.EXECUTION_RETENTION_MAX },
    limits: {
      workflowMaxNodes: values.WORKFLOW_MAX_NODES,
      /** Maximum number of executions of one project that wait to start. */
      queuedMaxPerProject: values.QUEUED_MAX_PER_PROJECT,
      /** Maximum bytes that the executions of one project store. */
      storageMaxBytesPerProject: values.STORAGE_MAX_BYTES_PER_PROJECT,
      /** Maximum bytes of the workflows of one project, including their versions. */
      workflowsMaxBytesPerProject: values.WORKFLOWS_MAX_BYTES_PER_PROJECT,
      /** Limits of data tables. */
      dataTables: {
        tablesPerProject: values.DATA_TABLES_MAX_PER_PROJECT,
        /** Sum over all data tables of a project. */
        bytes: values.DATA_TABLES_MAX_BYTES_PER_PROJECT,
        columns: values.DATA_TABLE_MAX_COLUMNS,
        rows: values.DATA_TABLE_MAX_ROWS,
        /**
         * Must be less than the number of connections for such statements, which is half of the
         * pool.
         */
        connections: Math.max(1, Math.floor(values.DATABASE_POOL_SIZE * 0.3)),
      },
      nodeRunMaxBytes: values.NODE_RUN_MAX_BYTES,
      executionMaxBytes: values.EXECUTION_MAX_BYTES,
      nodeRunsMax: values.NODE_RUNS_MAX,
      /** Limits for calls of sub-nodes, for each execution. */
      ai: {
        maxModelCalls: values.AI_MAX_MODEL_CALLS,
        maxToolCalls: values.AI_MAX_TOOL_CALLS,
        maxTokens: values.AI_MAX_TOKENS,
        maxCostUsd: values.AI_MAX_COST_USD,
        prices: values.AI_MODEL_PRICES,
      },
    },
  };
}
