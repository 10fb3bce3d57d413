import { type FormPage, type JsonObject, ownProperty } from '@sluice/domain';

/** What the address of a form fills it in with: `?name=value`, by the names of the fields. */
export function prefilled({ fields }: FormPage, query: JsonObject): Map<number, string[]> {
  const values = new Map<number, string[]>();
  for (const [index, field] of fields.entries()) {
    if (field.kind === 'html' || field.kind === 'file' || field.kind === 'password') continue;
    const given = ownProperty(query, field.name);
    if (given !== undefined) values.set(index, [given].flat().map(String));
  }
  return values;
}
