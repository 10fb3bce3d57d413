import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Access, type Database, TagRepository, type Workflow, WorkflowRepository } from '@sluice/db';
import type { Terminal } from '../terminal.ts';
import { withDatabase } from './administer.ts';

export interface ExportWorkflowsOptions {
  /** Folder with a file for each; default: one document on standard output. */
  output?: string;
  /** Only workflows of this project. */
  project?: string;
}

/** Workflows read by one query. */
const pageSize = 100;

/**
 * Writes workflows in the format of `sluice workflows import`: those with the given ids, or all.
 * Credentials are named, never written.
 */
export async function exportWorkflows(
  ids: readonly string[],
  { output, project }: ExportWorkflowsOptions,
  terminal: Terminal,
): Promise<void> {
  await withDatabase(async (db) => {
    const documents: object[] = [];
    let count = 0;
    if (output !== undefined) await mkdir(output, { recursive: true });
    for await (const workflow of ids.length > 0 ? byId(db, ids) : every(db, project)) {
      const document = await toDocument(db, workflow);
      count += 1;
      if (output === undefined) documents.push(document);
      else await writeFile(join(output, `${workflow.id}.json`), `${JSON.stringify(document, undefined, 2)}\n`);
    }
    if (output === undefined) terminal.line(JSON.stringify(documents, undefined, 2));
    // On standard error, because standard output is the document.
    terminal.warn(`exported ${counted(count)} to ${output === undefined ? 'standard output' : resolve(output)}`);
  });
}

function counted(count: number): string {
  return count === 1 ? '1 workflow' : `${count} workflows`;
}

async function* byId({ kysely }: Database, ids: readonly string[]): AsyncGenerator<Workflow> {
  const repository = new WorkflowRepository(kysely);
  for (const id of ids) yield repository.get(id, new Access('all'));
}

async function* every({ kysely }: Database, projectId: string | undefined): AsyncGenerator<Workflow> {
  const repository = new WorkflowRepository(kysely);
  const filter = projectId === undefined ? {} : { projectId };
  let last: Workflow | undefined;
  do {
    const page = { limit: pageSize, ...(last && { after: { createdAtUs: last.createdAtUs, id: last.id } }) };
    const { workflows } = await repository.list(filter, new Access('all'), page);
    yield* workflows;
    last = workflows.at(-1);
  } while (last !== undefined);
}

async function toDocument({ kysely }: Database, { id, graph, staticData, meta, tags }: Workflow): Promise<object> {
  const names = await new TagRepository(kysely).namesOf(tags);
  const { name, nodes, connections, settings = {}, pinData } = graph;
  return {
    id,
    name,
    nodes,
    connections,
    settings,
    ...(pinData && { pinData }),
    staticData,
    meta,
    tags: names.map((it) => ({ name: it })),
  };
}
