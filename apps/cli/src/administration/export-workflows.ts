import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Access, type Database, TagRepository, type Workflow, WorkflowRepository } from '@sluice/db';
import type { Terminal } from '../terminal.ts';
import { withDatabase } from './administer.ts';

export interface ExportWorkflowsOptions {
  /** Folder that gets one file per workflow; default: one JSON array on standard output. */
  output?: string;
  /** Only workflows of this project. */
  project?: string;
}

/** Workflows per query. */
const pageSize = 100;

/**
 * Writes workflows in the format that `sluice workflows import` reads: those with the given IDs, or
 * all. Nodes refer to their credentials by ID and name; the data of credentials is not exported.
 */
export async function exportWorkflows(
  ids: readonly string[],
  { output, project }: ExportWorkflowsOptions,
  terminal: Terminal,
): Promise<void> {
  await withDatabase(async (db) => {
    const list = new JsonList(terminal);
    let count = 0;
    if (output !== undefined) await mkdir(output, { recursive: true });
    for await (const workflow of ids.length > 0 ? workflowsById(db, ids) : allWorkflows(db, project)) {
      const document = await toDocument(db, workflow);
      count += 1;
      if (output === undefined) list.add(document);
      else await writeFile(join(output, `${workflow.id}.json`), `${JSON.stringify(document, undefined, 2)}\n`);
    }
    if (output === undefined) list.end();
    // To standard error, because standard output may be the exported array.
    terminal.warn(`exported ${counted(count)} to ${output === undefined ? 'standard output' : resolve(output)}`);
  });
}

/** Prints a JSON array by element: the whole may exceed the maximum length of a string. */
class JsonList {
  readonly #terminal: Terminal;
  /** The previous element, not printed yet: it needs a comma if another one follows. */
  #last: string | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  add(value: object): void {
    this.#terminal.line(this.#last === undefined ? '[' : `${this.#last},`);
    // Indented like an array element, without the brackets.
    this.#last = JSON.stringify([value], undefined, 2).slice(2, -2);
  }

  end(): void {
    for (const line of this.#last === undefined ? ['[]'] : [this.#last, ']']) this.#terminal.line(line);
  }
}

function counted(count: number): string {
  return count === 1 ? '1 workflow' : `${count} workflows`;
}

async function* workflowsById({ kysely }: Database, ids: readonly string[]): AsyncGenerator<Workflow> {
  const repository = new WorkflowRepository(kysely);
  for (const id of ids) yield repository.get(id, new Access('all'));
}

async function* allWorkflows({ kysely }: Database, projectId: string | undefined): AsyncGenerator<Workflow> {
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
    tags: names.map((tagName) => ({ name: tagName })),
  };
}
