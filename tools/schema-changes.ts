import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/domain';

/** A schema with the document that its references point to. */
interface SchemaOf {
  schema: JsonObject;
  document: JsonObject;
}

type Pair = { wide: SchemaOf; narrow: SchemaOf };

/**
 * Returns reasons why `narrow` may reject a value that `wide` allows, as sentences that start with
 * a path. For requests, `wide` is the older schema and `narrow` the newer one. For responses, it is
 * the other way around, because clients were written for the older schema.
 */
export function findNarrowing(wide: SchemaOf, narrow: SchemaOf): string[] {
  return [...new Set(narrowing({ wide, narrow }, '', new Set()))];
}

function narrowing({ wide, narrow }: Pair, path: string, seen: Set<string>): string[] {
  const pair = { wide: resolve(wide), narrow: resolve(narrow) };
  const [a, b] = [pair.wide.schema, pair.narrow.schema];
  const key = JSON.stringify([a, b]);
  if (seen.has(key)) return [];
  seen.add(key);
  const own = [...typeProblems(a, b), ...choiceProblems(a, b), ...boundProblems(a, b), ...requiredProblems(a, b)];
  const at = path === '' ? 'the root' : path;
  return [...own.map((problem) => `${at} ${problem}`), ...nestedProblems(pair, path, seen)];
}

function resolve({ schema, document }: SchemaOf): SchemaOf {
  if (typeof schema['$ref'] !== 'string') return { schema, document };
  const keys = schema['$ref'].slice(2).split('/');
  const target = keys.reduce<JsonValue>((at, key) => (at as JsonObject)[key] as JsonValue, document);
  return resolve({ schema: target as JsonObject, document });
}

function typeProblems(wide: JsonObject, narrow: JsonObject): string[] {
  const allowed = typesOf(narrow);
  if (!allowed) return [];
  const wideTypes = typesOf(wide);
  if (!wideTypes) return [`must have the type ${allowed.join(' or ')} on one side only`];
  const refused = wideTypes.filter((type) => !allowed.includes(type) && !(type === 'integer' && allowed.includes('number')));
  return refused.map((type) => `allows the type ${type} on one side only`);
}

function typesOf({ type }: JsonObject): string[] | undefined {
  if (type === undefined) return undefined;
  return (Array.isArray(type) ? type : [type]) as string[];
}

function choiceProblems(wide: JsonObject, narrow: JsonObject): string[] {
  const allowed = choicesOf(narrow);
  if (!allowed) return [];
  const wideChoices = choicesOf(wide);
  if (!wideChoices) return ['has an enum on one side only'];
  return wideChoices.filter((value) => !allowed.includes(value)).map((value) => `allows ${value} on one side only`);
}

function choicesOf(schema: JsonObject): string[] | undefined {
  if ('const' in schema) return [JSON.stringify(schema['const'])];
  return Array.isArray(schema['enum']) ? schema['enum'].map((value) => JSON.stringify(value)) : undefined;
}

const upper = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];
const lower = ['minimum', 'minLength', 'minItems', 'minProperties'];

function boundProblems(wide: JsonObject, narrow: JsonObject): string[] {
  const tighter = (keyword: string, sign: 1 | -1) => {
    const limit = narrow[keyword];
    const before = wide[keyword];
    return typeof limit === 'number' && (typeof before !== 'number' || sign * before > sign * limit);
  };
  const bounds = [...upper.filter((keyword) => tighter(keyword, 1)), ...lower.filter((keyword) => tighter(keyword, -1))];
  const forms = ['pattern', 'format'].filter((keyword) => keyword in narrow && narrow[keyword] !== wide[keyword]);
  return [...bounds, ...forms].map((keyword) => `has a different ${keyword}`);
}

function requiredProblems(wide: JsonObject, narrow: JsonObject): string[] {
  const always = (wide['required'] ?? []) as string[];
  const needed = (narrow['required'] ?? []) as string[];
  return needed.filter((name) => !always.includes(name)).map((name) => `requires ${name} on one side only`);
}

function nestedProblems({ wide, narrow }: Pair, path: string, seen: Set<string>): string[] {
  const of = (side: SchemaOf, schema: JsonValue): SchemaOf => ({ document: side.document, schema: schema as JsonObject });
  const properties = propertiesOf(narrow.schema);
  const shared = Object.entries(propertiesOf(wide.schema)).filter(([name]) => Object.hasOwn(properties, name));
  const problems = shared.flatMap(([name, schema]) =>
    narrowing({ wide: of(wide, schema), narrow: of(narrow, properties[name] as JsonValue) }, `${path}/${name}`, seen),
  );
  for (const keyword of ['items', 'additionalProperties']) {
    const [a, b] = [wide.schema[keyword], narrow.schema[keyword]];
    if (isJsonObject(a ?? null) && isJsonObject(b ?? null))
      problems.push(...narrowing({ wide: of(wide, a as JsonValue), narrow: of(narrow, b as JsonValue) }, `${path}/*`, seen));
    else if (b === false && a !== false) problems.push(`${path} forbids additional properties on one side only`);
  }
  return [...problems, ...alternativeProblems({ wide, narrow }, path)];
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return (properties ?? {}) as JsonObject;
}

/**
 * Compares alternatives as JSON strings, so a new or rewritten alternative counts as different. A
 * schema without alternatives counts as its own only alternative.
 */
function alternativeProblems({ wide, narrow }: Pair, path: string): string[] {
  const problems = ['anyOf', 'oneOf'].flatMap((keyword) => {
    const alternatives = narrow.schema[keyword];
    if (!Array.isArray(alternatives)) return [];
    const wideSchemas = (wide.schema[keyword] ?? [wide.schema]) as JsonValue[];
    return hasAllOf(wideSchemas, alternatives) ? [] : [`${path} has different alternatives`];
  });
  const { allOf: demanded = [] } = narrow.schema;
  const { allOf: met = [] } = wide.schema;
  if (!hasAllOf(demanded as JsonValue[], met as JsonValue[])) problems.push(`${path} has more conditions`);
  return problems;
}

function hasAllOf(schemas: readonly JsonValue[], narrowSchemas: readonly JsonValue[]): boolean {
  const texts = new Set(narrowSchemas.map((schema) => JSON.stringify(schema)));
  return schemas.every((schema) => texts.has(JSON.stringify(schema)));
}

/** Paths of removed properties. A removal can break clients in requests and in responses. */
export function findLostProperties(before: SchemaOf, after: SchemaOf): string[] {
  return [...new Set(lost(before, after, '', new Set()))];
}

function lost(before: SchemaOf, after: SchemaOf, path: string, seen: Set<string>): string[] {
  const [a, b] = [resolve(before), resolve(after)];
  const key = JSON.stringify([a.schema, b.schema]);
  if (seen.has(key)) return [];
  seen.add(key);
  const remainingProperties = propertiesOf(b.schema);
  const problems = Object.entries(propertiesOf(a.schema)).flatMap(([name, schema]) =>
    Object.hasOwn(remainingProperties, name)
      ? lost(
          { ...a, schema: schema as JsonObject },
          { ...b, schema: remainingProperties[name] as JsonObject },
          `${path}/${name}`,
          seen,
        )
      : [`${path}/${name}`],
  );
  for (const keyword of ['items', 'additionalProperties']) {
    const [x, y] = [a.schema[keyword] ?? null, b.schema[keyword] ?? null];
    if (isJsonObject(x) && isJsonObject(y)) problems.push(...lost({ ...a, schema: x }, { ...b, schema: y }, `${path}/*`, seen));
  }
  return problems;
}
