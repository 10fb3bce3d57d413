import { setTimeout as delay } from 'node:timers/promises';
import type { components } from '@sluice/api-client';
import { printable, type Terminal } from '../terminal.ts';
import { readEvents, type ServerEvent } from './event-stream.ts';
import { executionRow, hasEnded } from './execution-lines.ts';
import { assertSuccess } from './executions.ts';
import { ask, findServer, patiently, type Server, type ServerOptions } from './server.ts';

type Schemas = components['schemas'];

const pollMs = 1_000;
const maxFollowed = 100;

/**
 * Prints the events of one execution until it ends; throws unless its status is then `success`.
 * Without an ID, prints each execution when it appears or changes, until the process is
 * interrupted.
 */
export async function tailExecutions(id: string | undefined, options: ServerOptions, terminal: Terminal): Promise<void> {
  const server = await findServer(options);
  if (id === undefined) return followAll(server, options, terminal);
  const status = await followOne(server, id, options, terminal);
  assertSuccess(id, status);
}

/** Resolves to the final status. Resumes after the last event if the connection is lost. */
export async function followOne(server: Server, id: string, { json }: ServerOptions, terminal: Terminal): Promise<string> {
  const print = (event: ServerEvent) =>
    terminal.line(json ? JSON.stringify({ event: event.event, ...JSON.parse(event.data) }) : lineOf(event));
  let last: string | undefined;
  const open = () => openEvents(server, id, last);
  for (;;) {
    const events = await (last === undefined ? open() : patiently(open));
    try {
      for await (const event of events) {
        last = event.id ?? last;
        print(event);
        const status = finalStatus(event);
        if (status !== undefined) return status;
      }
    } catch (error) {
      // `fetch` reports a lost connection as a TypeError.
      if (!(error instanceof TypeError) || last === undefined) throw error;
    }
    await delay(pollMs);
  }
}

function finalStatus({ event, data }: ServerEvent): string | undefined {
  if (event !== 'status') return undefined;
  const { status } = JSON.parse(data) as Schemas['StatusEvent'];
  return hasEnded(status) ? status : undefined;
}

async function openEvents(server: Server, id: string, last: string | undefined): Promise<AsyncIterable<ServerEvent>> {
  const header = last === undefined ? {} : { 'Last-Event-ID': last };
  const call = server.api.GET('/executions/{id}/events', { params: { path: { id }, header }, parseAs: 'stream' });
  return readEvents((await ask(server, call)) as never);
}

function lineOf({ event, data }: ServerEvent): string {
  const at = new Date().toISOString();
  const about = JSON.parse(data) as Schemas['StatusEvent'] & Schemas['NodeStartedEvent'] & Schemas['NodeFinishedEvent'];
  const error = about.error ? `  ${about.error.message}` : '';
  if (event === 'status') return printable(`${at}  ${about.status}${error}`);
  if (event === 'nodeStarted') return printable(`${at}  node "${about.nodeName}" started`);
  const { nodeName, executionStatus, executionTime } = about;
  return printable(`${at}  node "${nodeName}" ${executionStatus} after ${executionTime} ms${error}`);
}

async function followAll(server: Server, { json }: ServerOptions, terminal: Terminal): Promise<void> {
  const read = () => ask(server, server.api.GET('/executions', { params: { query: { limit: maxFollowed } } }));
  let seen: Map<string, string> | undefined;
  for (;;) {
    const { data } = await (seen === undefined ? read() : patiently(read));
    const statuses = new Map(data.map(({ id, status }) => [id, status]));
    const changed = seen === undefined ? [] : data.filter(({ id, status }) => seen?.get(id) !== status);
    for (const execution of changed.reverse())
      terminal.line(json ? JSON.stringify(execution) : printable(executionRow(execution).join('  ').trimEnd()));
    seen = statuses;
    await delay(pollMs);
  }
}
