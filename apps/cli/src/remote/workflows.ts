import { errorMessage, isJsonObject, type JsonValue } from '@sluice/domain';
import { printResult, printTable } from '../administration/print.ts';
import { ExitError, exitCodes } from '../exit-codes.ts';
import { parseInput } from '../parse-input.ts';
import { readInput } from '../read-input.ts';
import type { Terminal } from '../terminal.ts';
import { reportEnd } from './executions.ts';
import { getVersionId } from './get-version-id.ts';
import { firstEntries, limitOf } from './pages.ts';
import { ask, findServer, type Server, type ServerOptions, startOnce } from './server.ts';

export interface ListWorkflowsOptions extends ServerOptions {
  /** Text that the name contains. */
  name?: string;
  active?: boolean;
  limit: string;
}

/** Prints matching workflows, newest first. */
export async function listWorkflows(
  { name, active, limit, ...options }: ListWorkflowsOptions,
  terminal: Terminal,
): Promise<void> {
  const server = await findServer(options);
  const filter = { excludePinnedData: true, ...(name !== undefined && { name }), ...(active !== undefined && { active }) };
  const read = (page: object) => ask(server, server.api.GET('/workflows', { params: { query: { ...filter, ...page } } }));
  const workflows = await firstEntries(read, limitOf(limit));
  const rows = workflows.map((it) => [it.id, it.active ? 'active' : 'inactive', it.updatedAt, it.name]);
  printTable(terminal, { json: options.json, documents: workflows, rows });
}

export interface RunOptions extends ServerOptions {
  /** File with the request body; `-` is standard input. */
  body?: string;
  /** Name of the last node to run. */
  until?: string;
  wait: boolean;
}

/** Runs a workflow and prints the result or, if `wait` is false, the ID of the execution. */
export async function runWorkflow(id: string, options: RunOptions, terminal: Terminal): Promise<void> {
  return startWorkflow(await findServer(options), id, options, terminal);
}

export async function startWorkflow(server: Server, id: string, options: RunOptions, terminal: Terminal): Promise<void> {
  const requestBody = options.body === undefined ? {} : await readBody(options.body);
  const body = { ...requestBody, ...(options.until !== undefined && { destinationNode: options.until }) };
  const { executionId } = await startOnce((key) => {
    const params = { path: { id }, header: { Prefer: 'respond-async', ...key } };
    return ask(server, server.api.POST('/workflows/{id}/run', { params, body }));
  });
  if (options.wait) return reportEnd(server, executionId, options, terminal);
  printResult(terminal, { json: options.json, document: { executionId }, lines: [['execution', executionId]] });
}

async function readBody(path: string): Promise<object> {
  const body = parseBody(await readInput(path), path);
  if (isJsonObject(body)) return body;
  throw new ExitError(exitCodes.usage, `--body must be a file that contains a JSON object: ${path}`);
}

function parseBody(content: string, path: string): JsonValue {
  try {
    return parseInput(content, `--body: ${path}`) as JsonValue;
  } catch (error) {
    throw new ExitError(exitCodes.usage, errorMessage(error));
  }
}

export async function activateWorkflow(
  id: string,
  { version, ...options }: ServerOptions & { version?: string },
  terminal: Terminal,
): Promise<void> {
  const server = await findServer(options);
  const body = version === undefined ? {} : { versionId: await getVersionId(server, id, version) };
  const call = server.api.POST('/workflows/{id}/activate', { params: { path: { id } }, body });
  const workflow = await ask(server, call);
  printResult(terminal, { json: options.json, document: workflow, lines: [['active', `${workflow.id}  ${workflow.name}`]] });
}

export async function deactivateWorkflow(id: string, options: ServerOptions, terminal: Terminal): Promise<void> {
  const server = await findServer(options);
  const workflow = await ask(server, server.api.POST('/workflows/{id}/deactivate', { params: { path: { id } } }));
  printResult(terminal, { json: options.json, document: workflow, lines: [['inactive', `${workflow.id}  ${workflow.name}`]] });
}
