import { parseJson } from '@sluice/domain';
import pg from 'pg';

/** Minimum length in characters of JSON that is read in time slices. */
const longJson = 64 * 1024;

/** Unparsed JSON of a column. */
class LongJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const jsonTypes: ReadonlySet<number> = new Set([pg.types.builtins.JSON, pg.types.builtins.JSONB]);

const readJson = (text: string): unknown => (text.length > longJson ? new LongJson(text) : JSON.parse(text));

/** Parsers of column types that leave long JSON unparsed, for `inSlices`. */
export const longJsonTypes: pg.CustomTypesConfig = {
  getTypeParser: ((type: number, format?: 'text') =>
    jsonTypes.has(type) ? readJson : pg.types.getTypeParser(type, format)) as typeof pg.types.getTypeParser,
};

/**
 * Parses the long JSON of a result in place: in time slices, so that it does not block the event
 * loop.
 */
export async function inSlices<Row extends pg.QueryResultRow>(result: pg.QueryResult<Row>): Promise<pg.QueryResult<Row>> {
  for (const one of [result].flat()) {
    const names = one.fields?.filter(({ dataTypeID }) => jsonTypes.has(dataTypeID)).map(({ name }) => name) ?? [];
    if (names.length > 0) for (const row of one.rows) await parseLong(row, names);
  }
  return result;
}

/**
 * Parses JSON from Postgres in time slices, with any number of keys: stored data must remain
 * readable. Falls back to `JSON.parse` for a document that is nested too deeply for `parseJson`.
 */
export async function parseStored(text: string): Promise<unknown> {
  try {
    return await parseJson(text, undefined, Number.POSITIVE_INFINITY);
  } catch {
    return JSON.parse(text);
  }
}

async function parseLong(row: pg.QueryResultRow, names: readonly string[]): Promise<void> {
  for (const name of names) if (row[name] instanceof LongJson) row[name] = await parseStored(row[name].text);
}
