import { createTwoFilesPatch } from 'diff';
import { ExitError, exitCodes } from '../exit-codes.ts';
import { printable, type Terminal } from '../terminal.ts';
import { findWorkflowFiles } from '../workflow-files/find-workflow-files.ts';
import { workflowDocuments } from '../workflow-files/workflow-documents.ts';
import { getVersionId } from './get-version-id.ts';
import { ask, findServer, type Server, type ServerOptions } from './server.ts';

export interface DiffOptions extends ServerOptions {
  /** File to compare with the workflow. */
  file?: string;
  /**
   * Number or ID of the version on the left; default: the active one, or with a file the newest.
   */
  from?: string;
  /** Number or ID of the version on the right; default: the newest. */
  to?: string;
}

interface Content {
  name?: unknown;
  nodes?: unknown;
  connections?: unknown;
  settings?: unknown;
  pinData?: unknown;
}

/** Compares two versions of a workflow, or a version with a file. Throws if they differ. */
export async function diffWorkflow(id: string, options: DiffOptions, terminal: Terminal): Promise<void> {
  const server = await findServer(options);
  const [left, right] = await sidesOf(server, id, options);
  const patch = createTwoFilesPatch(left.label, right.label, textOf(left.content), textOf(right.content), '', '', {
    context: 3,
  });
  const isSame = textOf(left.content) === textOf(right.content);
  if (options.json)
    terminal.line(JSON.stringify({ id, from: left.label, to: right.label, same: isSame, patch: isSame ? '' : patch }));
  else if (isSame) terminal.line(`${left.label} and ${right.label} are the same`);
  else for (const line of patch.trimEnd().split('\n').slice(1)) terminal.line(printable(line));
  if (!isSame) throw new ExitError(exitCodes.failed, `${left.label} and ${right.label} differ`);
}

interface Side {
  label: string;
  content: Content;
}

async function sidesOf(server: Server, id: string, { file, from, to }: DiffOptions): Promise<[Side, Side]> {
  const workflow = await ask(server, server.api.GET('/workflows/{id}', { params: { path: { id } } }));
  const newest = { label: `${id} (newest)`, content: workflow as Content };
  if (file !== undefined) {
    const files = await findWorkflowFiles([file]);
    const documents = await Promise.all(files.map(async ({ read }) => workflowDocuments(await read())));
    const [document, ...more] = documents.flat();
    if (document === undefined || more.length > 0)
      throw new ExitError(exitCodes.usage, `${file} must contain exactly one workflow`);
    return [from === undefined ? newest : await version(server, id, from), { label: file, content: document }];
  }
  const base = from ?? workflow.activeVersionId;
  if (base === null || base === undefined)
    throw new ExitError(exitCodes.usage, `${id} is not active: specify a version with --from, or a file with --file`);
  return [await version(server, id, base), to === undefined ? newest : await version(server, id, to)];
}

async function version(server: Server, id: string, wanted: string): Promise<Side> {
  const params = { path: { id, versionId: await getVersionId(server, id, wanted) } };
  const { workflowName, number, name, ...content } = await ask(
    server,
    server.api.GET('/workflows/{id}/versions/{versionId}', { params }),
  );
  const label = `${id} (version ${number}${name === null ? '' : `: ${name}`})`;
  return { label, content: { ...content, name: workflowName } };
}

/** The editable part of a workflow, with sorted keys, so that only real differences remain. */
function textOf({ name, nodes, connections, settings = {}, pinData = {} }: Content): string {
  return `${JSON.stringify(sortKeys({ name, nodes, connections, settings: settings ?? {}, pinData: pinData ?? {} }), undefined, 2)}\n`;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sortKeys(member)]));
}
