/**
 * `npm run db:migration:new -- add-something`: creates a migration whose name consists of the time
 * and the argument, and adds it to the list of migrations.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const directory = new URL('../packages/db/src/migrations/', import.meta.url);
const title = process.argv[2] ?? '';
if (!/^[a-z0-9]+(-[a-z0-9]+)+$/.test(title)) {
  process.stderr.write('the name must be in kebab-case and start with a verb, such as add-execution-attempt\n');
  process.exit(2);
}
const stamp = new Date().toISOString().slice(0, 16).replace(/[-:]/g, '');
const name = `${stamp}-${title}`;
const variable = title.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

const template = `import { type Kysely, sql } from 'kysely';

/** Why this is needed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('').execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('').execute(db);
}
`;
writeFileSync(new URL(`${name}.ts`, directory), template, { flag: 'wx' });

const list = new URL('index.ts', directory);
const text = readFileSync(list, 'utf8')
  .replace('\n\n/** Every', `\nimport * as ${variable} from './${name}.ts';\n\n/** Every`)
  .replace(/};\s*$/, `  '${name}': ${variable},\n};\n`);
writeFileSync(list, text);
process.stdout.write(`packages/db/src/migrations/${name}.ts\n`);
