import { setTimeout as delay } from 'node:timers/promises';
import { printResult, printTable } from '../administration/print.ts';
import { ExitError, exitCodes } from '../exit-codes.ts';
import { printable, type Terminal } from '../terminal.ts';
import { type Execution, errorLines, executionRow, hasEnded } from './execution-lines.ts';
import { firstEntries, limitOf } from './pages.ts';
import { ask, findServer, isUnavailable, patiently, type Server, type ServerOptions, startOnce } from './server.ts';

export interface ListExecutionsOptions extends ServerOptions {
  status?: string;
  workflow?: string;
  project?: string;
  since?: string;
  limit: string;
}

/** Prints matching executions, newest first. */
export async function listExecutions(options: ListExecutionsOptions, terminal: Terminal): Promise<void> {
  const server = await findServer(options);
  const executions = await newest(server, options);
  printTable(terminal, { json: options.json, documents: executions, rows: executions.map(executionRow) });
}

async function newest(server: Server, options: Omit<ListExecutionsOptions, 'json'>): Promise<Execution[]> {
  const filter = {
    ...(options.status !== undefined && { status: options.status }),
    ...(options.workflow !== undefined && { workflowId: options.workflow }),
    ...(options.project !== undefined && { projectId: options.project }),
    ...(options.since !== undefined && { startedAfter: options.since }),
  };
  const read = (page: object) => ask(server, server.api.GET('/executions', { params: { query: { ...filter, ...page } } }));
  return firstEntries<Execution>(read, limitOf(options.limit));
}

export async function showExecution(id: string, options: ServerOptions & { data: boolean }, terminal: Terminal): Promise<void> {
  const server = await findServer(options);
  const execution = await getExecution(server, id, true);
  const { data, ...head } = execution;
  const result = data?.resultData;
  const runs = Object.entries(result?.runData ?? {}).flatMap(([node, list]) =>
    list.map((run, index) => ({ node, index, run })),
  );
  const [, , duration = ''] = executionRow(execution);
  printResult(terminal, {
    json: options.json,
    document: options.data ? execution : head,
    lines: [
      ['execution', execution.id],
      ['workflow', `${execution.workflowName} (${execution.workflowId})`],
      ['status', execution.status],
      ['mode', execution.mode],
      ['started', execution.startedAt ?? ''],
      ['stopped', execution.stoppedAt ?? ''],
      ['duration', duration],
      ...errorLines(result?.error),
      ...runs.map(({ node, index, run }) => ['node', nodeLine(node, index, run)] as const),
    ],
  });
  if (options.data && !options.json) terminal.line(JSON.stringify(data, undefined, 2));
}

function nodeLine(node: string, index: number, run: { executionStatus?: string; executionTime?: number }): string {
  return `${node}${index > 0 ? ` (run ${index + 1})` : ''}  ${run.executionStatus}  ${run.executionTime} ms`;
}

function getExecution(server: Server, id: string, includeData: boolean): Promise<Execution> {
  return ask(server, server.api.GET('/executions/{id}', { params: { path: { id }, query: { includeData } } }));
}

/** Stops each execution. Throws at the end if some could not be stopped. */
export async function stopExecutions(ids: readonly string[], options: ServerOptions, terminal: Terminal): Promise<void> {
  const server = await findServer(options);
  const stopped: unknown[] = [];
  const failures: Error[] = [];
  for (const id of ids) {
    try {
      const execution = await ask(server, server.api.POST('/executions/{id}/stop', { params: { path: { id } } }));
      stopped.push(execution);
      if (!options.json) terminal.line(`${id}  ${execution.status}`);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      failures.push(error as Error);
      terminal.warn(printable(`${id}: ${(error as Error).message}`));
    }
  }
  if (options.json) terminal.line(JSON.stringify(stopped, undefined, 2));
  if (failures.length > 0)
    throw new ExitError(exitCodes.failed, `${failures.length} of ${ids.length} executions were not stopped`);
}

export interface RetryOptions extends ServerOptions {
  /** Whether to use the newest version of the workflow. */
  latest: boolean;
  wait: boolean;
}

export async function retryExecution(id: string, options: RetryOptions, terminal: Terminal): Promise<void> {
  const server = await findServer(options);
  const body = { loadWorkflow: options.latest };
  const retry = await startOnce((header) => {
    const params = { path: { id }, header };
    return ask(server, server.api.POST('/executions/{id}/retry', { params, body }));
  });
  if (options.wait) return reportEnd(server, retry.id, options, terminal);
  printResult(terminal, { json: options.json, document: retry, lines: [['retry', `${retry.id}  ${retry.status}`]] });
}

const pollMs = { first: 100, max: 2_000 };

/** Waits until an execution ends and prints the result. Throws if the status is not `success`. */
export async function reportEnd(server: Server, id: string, { json }: ServerOptions, terminal: Terminal): Promise<void> {
  const whole = await untilEnd(server, id).catch((error: unknown) => {
    if (!isUnavailable(error)) throw error;
    // Names the ID, so that users do not repeat the command, which would start another execution.
    const message = `${(error as Error).message}; execution ${id} continues: see \`sluice executions show ${id}\``;
    throw new ExitError(exitCodes.unavailable, message);
  });
  const [, status = '', duration = ''] = executionRow(whole);
  printResult(terminal, {
    json,
    document: whole,
    lines: [['execution', id], ['status', status], ['duration', duration], ...errorLines(whole.data?.resultData.error)],
  });
  assertSuccess(id, whole.status);
}

async function untilEnd(server: Server, id: string): Promise<Execution> {
  const read = (includeData: boolean) => patiently(() => getExecution(server, id, includeData));
  for (let pauseMs = pollMs.first; !hasEnded((await read(false)).status); pauseMs = Math.min(pauseMs * 2, pollMs.max))
    await delay(pauseMs);
  return read(true);
}

export function assertSuccess(id: string, status: string): void {
  if (status !== 'success') throw new ExitError(exitCodes.executionFailed, `execution ${id} ended with ${status}`);
}
