import {
  Access,
  type Database,
  type ExecutionFilter,
  ExecutionListRepository,
  type ExecutionPageRequest,
  ExecutionRepository,
  WorkflowRepository,
} from '@sluice/db';
import { executionStatuses } from '@sluice/domain';

/** The database queries of one request. */
type ListCase = () => Promise<unknown>;

const limit = 101; // rows that the API reads for `limit=100`, to find out whether there is a next page
const secondsApart = 8;

/**
 * The API's queries for `GET /executions?limit=100` and `GET /workflows?limit=100` with each
 * filter, and for `GET /executions/:id`, for a user who sees everything and for a member of three
 * projects.
 */
export function listCases(db: Database, executions: number): Map<string, ListCase> {
  const all = new Access('all');
  const member = new Access(['project-3', 'project-7', 'project-19']);
  const cases = new Map<string, ListCase>();
  for (const [who, access] of [
    ['all', all],
    ['member', member],
  ] as const) {
    for (const [name, run] of executionCases(db, executions, access)) cases.set(`executions ${name}, ${who}`, run);
    for (const [name, run] of workflowCases(db, access)) cases.set(`workflows ${name}, ${who}`, run);
  }
  const repository = new ExecutionRepository(db);
  let id = executions;
  cases.set('execution by id', () => repository.getShown(String(1 + ((id++ * 7_919) % executions)), all));
  return cases;
}

function executionCases(db: Database, executions: number, access: Access): Map<string, ListCase> {
  const ago = (share: number) => new Date(Date.now() - share * executions * secondsApart * 1_000);
  const middle = ago(0.5);
  const filters: Record<string, ExecutionFilter> = {
    'without a filter': {},
    ...Object.fromEntries(executionStatuses.map((status) => [`status=${status}`, { statuses: [status] }])),
    'status=error,crashed': { statuses: ['error', 'crashed'] },
    'workflowId (busy)': { workflowId: 'workflow-1' },
    'workflowId and status=crashed': { workflowId: 'workflow-1', statuses: ['crashed'] },
    projectId: { projectId: 'project-7' },
    'projectId and status=waiting': { projectId: 'project-7', statuses: ['waiting'] },
    'mode=trigger': { mode: 'trigger' },
    'mode=retry': { mode: 'retry' },
    startedAfter: { startedAfter: middle },
    'startedAfter (an hour ago)': { startedAfter: new Date(Date.now() - 3_600_000) },
    startedBefore: { startedBefore: middle },
    'startedAfter and startedBefore': {
      startedAfter: middle,
      startedBefore: new Date(middle.getTime() + 1_000 * secondsApart * 1_000),
    },
  };
  const list = new ExecutionListRepository(db.kysely); // one instance, as in an API process: it caches estimates
  const request = (from: ExecutionListRepository, filter: ExecutionFilter, page: ExecutionPageRequest) =>
    Promise.all([from.read(filter, access, page), from.countRunning(access)]);
  const cases = new Map<string, ListCase>();
  for (const [name, filter] of Object.entries(filters)) cases.set(name, () => request(list, filter, { limit }));
  const beforeId = String(Math.round(executions * 0.4));
  cases.set('lastId or cursor, deep', () => request(list, {}, { limit, beforeId }));
  cases.set('first request, without an estimate', () => request(new ExecutionListRepository(db.kysely), {}, { limit }));
  return cases;
}

function workflowCases(db: Database, access: Access): Map<string, ListCase> {
  const workflows = new WorkflowRepository(db.kysely);
  const filters: Record<string, Parameters<WorkflowRepository['list']>[0]> = {
    'without a filter': {},
    'name (few match)': { name: 'LOW 999' },
    'name (many match)': { name: 'invoice' },
    'name (no match)': { name: 'zzz' },
    tags: { tagIds: ['tag-4'] },
    'active=true': { active: true },
    'active=false': { active: false },
    projectId: { projectId: 'project-7' },
  };
  const entries = Object.entries(filters);
  return new Map(entries.map(([name, filter]) => [name, () => workflows.list(filter, access, { limit })]));
}
