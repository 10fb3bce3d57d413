import { type Kysely, sql } from 'kysely';

const statements = [
  'ALTER TABLE trigger_sources ADD COLUMN node_id text',
  // A node that gets the name of another one may find something there that has not been ended yet.
  'ALTER TABLE registrations DROP CONSTRAINT registrations_workflow_id_node_name_name_key',
  'CREATE UNIQUE INDEX registrations_wanted ON registrations (workflow_id, node_name, name) WHERE wanted',
  'CREATE INDEX registrations_workflow ON registrations (workflow_id)',
  // A registration that ends late must not end a newer one at the same service.
  'ALTER TABLE registrations ADD COLUMN wanted_at timestamptz',
  // The account at the service, which may have one webhook per account.
  `CREATE FUNCTION registration_account(name text, subject json) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT md5(name || ' ' || (subject #>> '{node,type}') || ' ' || coalesce(
      (SELECT string_agg(c.key || ' ' || coalesce(c.value ->> 'id', ''), ' ' ORDER BY c.key) FROM json_each(subject #> '{node,credentials}') c), ''))
  $$`,
  // Identifies a registration at such a service: the address that the service calls or, without one, the parameters. Null if unknown.
  `CREATE FUNCTION registration_address(name text, subject json) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT md5(CASE
      WHEN name <> 'hooks' THEN (subject #> ARRAY['urls', substr(name, 9)])::text
      WHEN (subject #> '{urls}')::text <> '{}' THEN (subject #> '{urls}')::text
      ELSE (subject #> '{node,parameters}')::text END)
  $$`,
  'CREATE INDEX registrations_account ON registrations (registration_account(name, subject)) WHERE NOT wanted',
  'CREATE INDEX registrations_address ON registrations (registration_address(name, subject))',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw('DROP INDEX registrations_address, registrations_account, registrations_workflow, registrations_wanted')
    .execute(db);
  await sql.raw('DROP FUNCTION registration_address, registration_account').execute(db);
  await sql.raw('ALTER TABLE registrations DROP COLUMN wanted_at').execute(db);
  // Unwanted registrations would violate the key. Their service may continue to call.
  await sql`DELETE FROM registrations r WHERE NOT wanted AND EXISTS (SELECT FROM registrations o WHERE o.id <> r.id AND (o.wanted OR o.id > r.id)
    AND (o.workflow_id, o.node_name, o.name) = (r.workflow_id, r.node_name, r.name))`.execute(db);
  await sql
    .raw(
      'ALTER TABLE registrations ADD CONSTRAINT registrations_workflow_id_node_name_name_key UNIQUE (workflow_id, node_name, name)',
    )
    .execute(db);
  await sql.raw('ALTER TABLE trigger_sources DROP COLUMN node_id').execute(db);
}
