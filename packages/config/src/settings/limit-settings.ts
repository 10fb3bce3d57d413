import { integer, numberTable } from '../setting.ts';

const mebibyte = 1024 * 1024;

/** Quotas of projects, retention, and maximum sizes of requests and run data. */
export const limitSettings = {
  QUEUED_MAX_PER_PROJECT: integer(
    100_000,
    { min: 1, max: 1_000_000_000 },
    'Maximum number of queued executions per project. At the limit, new executions are rejected until some have started. Starts within the same two seconds may exceed the limit.',
  ),
  STORAGE_MAX_BYTES_PER_PROJECT: integer(
    50 * 1024 * mebibyte,
    { min: mebibyte, max: 1024 * 1024 * 1024 * mebibyte },
    'Maximum size in bytes of the data and files of all executions of a project. At the limit, webhook, form, and resume requests get status 413, and nodes fail, until executions are deleted. Data stored within a few seconds may exceed the limit.',
  ),
  WORKFLOWS_MAX_BYTES_PER_PROJECT: integer(
    10 * 1024 * mebibyte,
    { min: mebibyte, max: 1024 * 1024 * 1024 * mebibyte },
    'Maximum size in bytes of the workflows of a project: versions, static data, graphs sent with runs, conversations of memory nodes, and values that Remove Duplicates has seen. At the limit, saves and runs with new content get status 413, and nodes that store such data fail, until workflows are deleted. Data stored within a few seconds may exceed the limit.',
  ),
  DATA_TABLES_MAX_PER_PROJECT: integer(100, { min: 1, max: 100_000 }, 'Maximum number of data tables in a project.'),
  DATA_TABLES_MAX_BYTES_PER_PROJECT: integer(
    1024 * mebibyte,
    { min: mebibyte, max: 1024 * 1024 * mebibyte },
    'Maximum size in bytes of the rows in all data tables of a project. At the limit, rows can only be deleted or made smaller. Concurrent writes may exceed the limit.',
  ),
  DATA_TABLE_MAX_COLUMNS: integer(100, { min: 1, max: 1_000 }, 'Maximum number of columns in a data table.'),
  DATA_TABLE_MAX_ROWS: integer(5_000_000, { min: 1, max: 1_000_000_000 }, 'Maximum number of rows in a data table.'),
  CHAT_SESSIONS_MAX_BYTES_PER_WORKFLOW: integer(
    64 * mebibyte,
    { min: mebibyte, max: 1024 * 1024 * mebibyte },
    'Maximum size in bytes of the conversations that the memory nodes of a workflow keep. Above it, the conversations that have not changed for the longest time are deleted.',
  ),
  CHAT_SESSION_RETENTION_DAYS: integer(
    30,
    { min: 1, max: 36_500 },
    'Days for which memory nodes keep a conversation after its last message.',
  ),
  AUDIT_RETENTION_DAYS: integer(
    0,
    { min: 0, max: 36_500 },
    'Days for which entries of the audit log are kept; 0: no limit. Workers delete older entries at a rate of a few thousand per minute.',
  ),
  EXECUTION_RETENTION_DAYS: numberTable(
    { success: 14, error: 14, canceled: 14, crashed: 14 },
    'Days for which a finished execution is kept with its data and files, by status; 0 keeps all executions with that status, even beyond EXECUTION_RETENTION_MAX. Annotated executions are always kept.',
    // Postgres cannot represent a time two million days ago.
    { zero: true, max: 1_000_000 },
  ),
  EXECUTION_RETENTION_MAX: integer(
    50_000,
    { min: 0, max: 1_000_000_000 },
    'Maximum number of executions kept per project. The oldest finished executions above it are deleted, unless they are annotated. 0: no limit.',
  ),
  BODY_LIMIT_BYTES: integer(16 * mebibyte, { min: 1024, max: 512 * mebibyte }, 'Maximum size of a request body in bytes.'),
  JSON_MAX_DEPTH: integer(100, { min: 10, max: 1000 }, 'Maximum nesting depth of a JSON request body.'),
  WORKFLOW_MAX_NODES: integer(5000, { min: 1, max: 100_000 }, 'Maximum number of nodes in a workflow.'),
  NODE_RUN_MAX_BYTES: integer(
    16 * mebibyte,
    { min: 1024, max: 512 * mebibyte },
    'Maximum size in bytes of the output of one node run, as JSON.',
  ),
  EXECUTION_MAX_BYTES: integer(
    128 * mebibyte,
    { min: 1024, max: 4096 * mebibyte },
    'Maximum size in bytes of the run data of one execution, as JSON.',
  ),
} as const;
