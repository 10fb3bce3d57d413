import { readEnv, toConfig } from '@sluice/config';
import {
  Access,
  type Database,
  errorWorkflowPath,
  inTransaction,
  ProjectRepository,
  TagRepository,
  type Workflow,
  WorkflowRepository,
} from '@sluice/db';
import { errorMessage, isAppError, NotFoundError, ValidationError, type ValidationIssue } from '@sluice/domain';
import { showProgress } from '../progress.ts';
import { printable, type Terminal } from '../terminal.ts';
import { idOfName } from '../workflow-files/id-of-name.ts';
import { type ReadWorkflow, readWorkflows } from '../workflow-files/read-workflows.ts';
import { SupportCounter } from '../workflow-files/support-report.ts';
import type { TidiedWorkflow } from '../workflow-files/tidy-workflow.ts';
import { audited, withDatabase } from './administer.ts';
import { findUserOrOwner } from './find-user.ts';
import { knownTypes } from './known-types.ts';
import { printSupport } from './print-support.ts';

export interface ImportWorkflowsOptions {
  /** ID of the project for new workflows; default: the author's personal project. */
  project?: string;
  /** Email or ID of the author; default: the owner. */
  user?: string;
  /** Whether to ignore the IDs in the files. */
  newIds: boolean;
  json: boolean;
}

/** Result for one workflow. */
interface ImportedWorkflow {
  file: string;
  status: 'created' | 'updated' | 'failed';
  id?: string;
  name?: string;
  warnings?: readonly string[];
  error?: string;
}

/** Project and author of imported workflows. */
interface Destination {
  db: Database;
  projectId: string;
  authorId: string;
  newIds: boolean;
  /** IDs stored by this import: a file must not overwrite a workflow of an earlier file. */
  usedIds: Set<string>;
}

/**
 * Stores the workflows of files, each in its own transaction, and prints the result for each. A
 * workflow whose ID exists is updated. If some workflows fail, the others are still imported, and
 * the command ends with an error.
 */
export async function importWorkflows(
  paths: readonly string[],
  options: ImportWorkflowsOptions,
  terminal: Terminal,
): Promise<void> {
  const config = toConfig(readEnv());
  const { workflowMaxNodes: maxNodes } = config.limits;
  const counter = new SupportCounter(await knownTypes(config, terminal));
  const progress = await showProgress('importing', terminal);
  const imported = await withDatabase(async (db) => {
    const destination = await findDestination(db, options);
    const written: ImportedWorkflow[] = [];
    const note = (outcome: ImportedWorkflow) => {
      written.push(outcome);
      if (!options.json) printOutcome(progress.terminal, outcome);
    };
    const waiting: ReadWorkflow[] = [];
    for await (const entry of readWorkflows(paths, { maxNodes, counter, onFile: progress.update })) {
      const { lacksErrorWorkflow, ...outcome } = await importOne(entry, destination);
      if (lacksErrorWorkflow) waiting.push(entry);
      else note(outcome);
    }
    await importWaiting(waiting, destination, note);
    return written;
  }).finally(progress.stop);
  const report = counter.report();
  if (options.json) terminal.line(JSON.stringify({ workflows: imported, report }, undefined, 2));
  else printSupport(terminal, report);
  const failed = imported.filter(({ status }) => status === 'failed').length;
  if (failed > 0) throw new Error(`${failed} of ${imported.length} imports failed`);
}

/**
 * Imports workflows whose error workflow comes later in the same import. Repeats until an iteration
 * makes no progress.
 */
async function importWaiting(
  reads: readonly ReadWorkflow[],
  destination: Destination,
  note: (outcome: ImportedWorkflow) => void,
): Promise<void> {
  const failed: { entry: ReadWorkflow; outcome: ImportedWorkflow }[] = [];
  for (const entry of reads) {
    const { lacksErrorWorkflow, ...outcome } = await importOne(entry, destination);
    if (lacksErrorWorkflow) failed.push({ entry, outcome });
    else note(outcome);
  }
  if (failed.length < reads.length)
    await importWaiting(
      failed.map(({ entry }) => entry),
      destination,
      note,
    );
  else for (const { outcome } of failed) note(outcome);
}

async function findDestination(db: Database, { project, user, newIds }: ImportWorkflowsOptions): Promise<Destination> {
  const author = await findUserOrOwner(db, user);
  const projectId = project ?? author.personalProjectId;
  await new ProjectRepository(db.kysely).get(projectId, new Access('all'));
  return { db, projectId, authorId: author.id, newIds, usedIds: new Set() };
}

async function importOne(
  entry: ReadWorkflow,
  destination: Destination,
): Promise<ImportedWorkflow & { lacksErrorWorkflow?: boolean }> {
  const { file } = entry;
  if ('error' in entry) return { file, status: 'failed', error: entry.error };
  const { name } = entry.tidied.workflow;
  try {
    const written = await audited('workflow.import', () => write(entry.tidied, destination));
    return { file, name, ...written };
  } catch (error) {
    if (isAppError(error) && error.kind === 'transient') throw error;
    const issues = error instanceof ValidationError ? (error.details as unknown as ValidationIssue[]) : [];
    const lacksErrorWorkflow = issues.some(({ path }) => path === errorWorkflowPath);
    const details = issues.map(({ path, message }) => `${path} ${message}`).join('; ');
    return { file, name, status: 'failed', error: details || errorMessage(error), lacksErrorWorkflow };
  }
}

type Written = Pick<ImportedWorkflow, 'status' | 'id' | 'warnings'>;

async function write({ workflow, tagNames, warnings }: TidiedWorkflow, destination: Destination): Promise<Written> {
  const { newIds, usedIds } = destination;
  const { id: givenId } = workflow;
  const isTaken = givenId !== undefined && usedIds.has(givenId);
  const store = (id: string | undefined) => storeAs(id, { workflow, tagNames }, destination);
  const stored =
    newIds || isTaken
      ? await store(undefined)
      : givenId === undefined
        ? await storeByName(workflow.name, destination, store)
        : await store(givenId);
  usedIds.add(stored.id);
  const idWarning = `another workflow of this import has the ID ${givenId}: this one got a new ID`;
  return { ...stored, warnings: isTaken && !newIds ? [...warnings, idWarning] : warnings };
}

interface Stored {
  status: 'created' | 'updated';
  id: string;
}

/** Limit for the number of workflows with the same name, including deleted ones. */
const maxOccurrences = 1000;

/** Skips IDs that this import has stored, and IDs of deleted workflows, which cannot be reused. */
async function storeByName(
  name: string,
  { projectId, usedIds }: Destination,
  store: (id: string) => Promise<Stored>,
): Promise<Stored> {
  for (let occurrence = 0; ; occurrence += 1) {
    const id = idOfName(projectId, name, occurrence);
    if (usedIds.has(id)) continue;
    try {
      return await store(id);
    } catch (error) {
      if (!isDeletedId(error) || occurrence === maxOccurrences) throw error;
    }
  }
}

function isDeletedId(error: unknown): boolean {
  return isAppError(error) && /has been deleted, and its id cannot be used again$/.test(error.message);
}

/**
 * Updates the workflow with this ID or creates it; without an ID, creates one with a new ID. An
 * update keeps the static data and tags if the file does not contain them.
 */
async function storeAs(
  id: string | undefined,
  { workflow, tagNames }: Pick<TidiedWorkflow, 'workflow' | 'tagNames'>,
  { db, projectId, authorId }: Destination,
): Promise<Stored> {
  const { name, nodes, connections, settings, pinData, staticData, meta = null } = workflow;
  const graph = { name, nodes, connections, ...(settings && { settings }), ...(pinData && { pinData }) };
  return inTransaction(db.kysely, async (tx) => {
    const repository = new WorkflowRepository(tx);
    const tags = tagNames && (await findOrCreateTags(new TagRepository(tx), tagNames));
    const everywhere = new Access('all');
    if (id !== undefined && (await exists(repository, id))) {
      const change = (current: Workflow) => ({ graph, staticData: staticData ?? current.staticData, tags });
      return { status: 'updated', id: (await repository.update(id, everywhere, authorId, everywhere, change)).id };
    }
    const created = { ...(id !== undefined && { id }), projectId, graph, staticData: staticData ?? null, meta, tags, authorId };
    return { status: 'created', id: (await repository.create(created, everywhere)).id };
  });
}

async function exists(repository: WorkflowRepository, id: string): Promise<boolean> {
  try {
    await repository.getHead(id, new Access('all'));
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

async function findOrCreateTags(tags: TagRepository, names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) {
    const [tagId] = await tags.idsOf([name]);
    ids.push(tagId ?? (await tags.create(name)).id);
  }
  return ids;
}

function printOutcome(terminal: Terminal, { file, status, id, name, warnings = [], error }: ImportedWorkflow): void {
  if (error === undefined) terminal.line(printable(`${status}  ${id}  ${name}`));
  else terminal.warn(printable(`${file}: not imported: ${error}`));
  for (const warning of warnings) terminal.warn(printable(`${file}: ${warning}`));
}
