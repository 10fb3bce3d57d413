import { isJsonObject, type JsonObject } from '@sluice/node-sdk';

/** An attachment in API format. Editors store its fields in a group. */
export function attachment({ fields, ...rest }: JsonObject): JsonObject {
  const items = isJsonObject(fields) ? fields['item'] : fields;
  return items === undefined ? rest : { ...rest, fields: items };
}
