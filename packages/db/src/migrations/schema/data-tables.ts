/**
 * Tables that users define. A row stores its values as jsonb by the key of the column, which is
 * unique across tables: one index serves conditions on every column, and a renamed column changes
 * no row.
 */
export const dataTables = [
  `CREATE TABLE data_tables (
    id text PRIMARY KEY,
    project_id text NOT NULL REFERENCES projects ON DELETE CASCADE,
    name text NOT NULL,
    next_row_id bigint NOT NULL DEFAULT 1,
    row_count bigint NOT NULL DEFAULT 0,
    bytes bigint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT data_tables_name_key UNIQUE (project_id, name)
  )`,
  'CREATE INDEX data_tables_list ON data_tables (created_at DESC, id DESC)',
  `CREATE TABLE data_table_columns (
    key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    table_id text NOT NULL REFERENCES data_tables ON DELETE CASCADE,
    name text NOT NULL,
    type text NOT NULL CHECK (type IN ('string', 'number', 'boolean', 'date')),
    CONSTRAINT data_table_columns_name_key UNIQUE (table_id, name)
  )`,
  // Without a foreign key: a table with millions of rows is deleted at once, and its rows in
  // batches.
  `CREATE TABLE data_table_rows (
    table_id text NOT NULL,
    id bigint NOT NULL,
    data jsonb NOT NULL CHECK (jsonb_typeof(data) = 'object'),
    size integer NOT NULL GENERATED ALWAYS AS (octet_length(data::text) + 64) STORED,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (table_id, id)
  )`,
  // A condition must not search what a pending list has collected.
  'CREATE INDEX data_table_rows_data ON data_table_rows USING gin (data jsonb_path_ops) WITH (fastupdate = off)',
  'CREATE TABLE data_table_leftovers (table_id text PRIMARY KEY)',
  `CREATE FUNCTION note_data_table_leftovers() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO data_table_leftovers (table_id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
      RETURN NULL;
    END $$`,
  'CREATE TRIGGER data_tables_note_leftovers AFTER DELETE ON data_tables FOR EACH ROW EXECUTE FUNCTION note_data_table_leftovers()',
];
