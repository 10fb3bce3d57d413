import type { ExecuteContext, JsonObject, JsonValue } from '@sluice/node-sdk';

/** Request members from the options that are set: API member → option name. */
export function optionValues(
  context: ExecuteContext,
  itemIndex: number,
  members: Readonly<Record<string, string>>,
): JsonObject {
  const values = Object.entries(members).map(([member, option]): [string, JsonValue | undefined] => [
    member,
    context.parameter<JsonValue>(`options.${option}`, itemIndex) ?? undefined,
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== '')) as JsonObject;
}
