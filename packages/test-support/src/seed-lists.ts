import type { Database } from '@sluice/db';
import { sql } from 'kysely';

/** Amount of data to create. */
export interface SeedSize {
  executions: number;
  workflows: number;
  projects: number;
}

/** Number of executions per INSERT. */
const batch = 100_000;

/**
 * Fills a migrated database that has an owner. Every run creates the same data: projects and
 * workflows of unequal size, one start every eight seconds up to now, nine of ten executions
 * successful, few still open. From 10,000 executions on, canceled, crashed, and retried executions
 * fill a page each; `waiting` ones are too rare.
 */
export async function seedLists(db: Database, { executions, workflows, projects }: SeedSize): Promise<void> {
  await seedProjects(db, projects);
  await seedWorkflows(db, workflows, projects);
  for (let first = 1; first <= executions; first += batch) {
    await seedExecutions(db, { first, last: Math.min(executions, first + batch - 1), executions, workflows });
  }
  await sql`SELECT setval('executions_id_seq', ${executions})`.execute(db.kysely);
  await sql`VACUUM ANALYZE`.execute(db.kysely);
}

async function seedProjects(db: Database, projects: number): Promise<void> {
  await sql`INSERT INTO projects (id, name, type) SELECT 'project-' || n, 'Project ' || n, 'team'
    FROM generate_series(1, ${projects}::int) AS n`.execute(db.kysely);
  await sql`INSERT INTO tags (id, name) SELECT 'tag-' || n, 'tag ' || n FROM generate_series(1, 20) AS n`.execute(db.kysely);
}

async function seedWorkflows(db: Database, workflows: number, projects: number): Promise<void> {
  const series = sql`generate_series(1, ${workflows}::int) AS n`;
  const name = sql`'Workflow ' || n || CASE n % 4 WHEN 0 THEN ' sends invoices' WHEN 1 THEN ' syncs contacts'
    WHEN 2 THEN ' watches a mailbox' ELSE ' reports on Mondays' END`;
  await sql`INSERT INTO workflows (id, project_id, name, active, version_id, active_version_id, created_at, updated_at)
    SELECT 'workflow-' || n, 'project-' || 1 + floor(sqrt(n % (${projects}::int * ${projects}::int)))::int, ${name}, n % 10 = 0,
      'version-' || n, CASE WHEN n % 10 = 0 THEN 'version-' || n END,
      now() - (${workflows}::int - n) * interval '7 minutes', now()
    FROM ${series}`.execute(db.kysely);
  await sql`INSERT INTO workflow_graphs (workflow_id, hash, content, bytes)
    SELECT id, hash, content, octet_length(content::text) FROM (SELECT 'workflow-' || n AS id, 'hash-' || n AS hash, json_build_object('name', ${name}, 'settings', '{}'::json,
      'nodes', (SELECT json_agg(json_build_object('id', i::text, 'name', 'Node ' || i, 'type', 'base.no-op', 'typeVersion', 1,
        'position', json_build_array(i * 200, 0), 'parameters', json_build_object('note', repeat('x', 40))))
        FROM generate_series(1, 5) AS i),
      'connections', (SELECT json_object_agg('Node ' || i, json_build_object('main', json_build_array(json_build_array(
        json_build_object('node', 'Node ' || i + 1, 'type', 'main', 'index', 0))))) FROM generate_series(1, 4) AS i)) AS content
    FROM ${series}) AS graphs`.execute(db.kysely);
  await sql`INSERT INTO workflow_versions (id, workflow_id, graph_hash)
    SELECT 'version-' || n, 'workflow-' || n, 'hash-' || n FROM ${series}`.execute(db.kysely);
  await sql`INSERT INTO workflow_tags (workflow_id, tag_id, position)
    SELECT 'workflow-' || n, 'tag-' || 1 + n % 19, 0 FROM ${series} WHERE n % 3 = 0`.execute(db.kysely);
}

interface Part {
  first: number;
  last: number;
  executions: number;
  workflows: number;
}

async function seedExecutions(db: Database, { first, last, executions, workflows }: Part): Promise<void> {
  await sql`
    INSERT INTO executions (id, workflow_id, project_id, graph_hash, version_id, status, mode, created_at, queued_at,
      started_at, stopped_at)
    SELECT s.n, w.id, w.project_id, 'hash-' || s.workflow, w.version_id, s.status, s.mode, s.at, s.at,
      CASE WHEN s.status <> 'new' THEN s.at + interval '20 milliseconds' END,
      CASE WHEN s.status NOT IN ('new', 'running', 'waiting') THEN s.at + interval '1 second' END
    FROM (
      SELECT n, now() - (${executions}::int - n) * interval '8 seconds' AS at,
        1 + (n::bigint * 7919 % ${workflows}::int * (n::bigint * 104729 % ${workflows}::int) / ${workflows}::int)::int AS workflow,
        CASE WHEN n > ${executions}::int - 20 THEN 'new' WHEN n > ${executions}::int - 40 THEN 'running'
          WHEN n % 5003 = 0 THEN 'waiting' WHEN n % 89 = 0 THEN 'canceled' WHEN n % 97 = 0 THEN 'crashed'
          WHEN n % 13 = 0 THEN 'error' ELSE 'success' END AS status,
        CASE WHEN n % 73 = 0 THEN 'retry' WHEN n % 20 = 0 THEN 'manual' WHEN n % 3 = 0 THEN 'webhook' ELSE 'trigger' END AS mode
      FROM generate_series(${first}::int, ${last}::int) AS n
    ) AS s JOIN workflows w ON w.id = 'workflow-' || s.workflow`.execute(db.kysely);
  await sql`INSERT INTO execution_annotations (execution_id, vote)
    SELECT n, 'up' FROM generate_series(${first}::int, ${last}::int) AS n WHERE n % 10 = 0`.execute(db.kysely);
}
