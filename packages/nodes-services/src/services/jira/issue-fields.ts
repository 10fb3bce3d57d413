import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { namesParameter } from '@sluice/nodes-base/node-tools';
import { asText, locatedValue } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { isCloud } from './jira-client.ts';

/** Issue fields in API format, from a collection of the node. */
export function issueFields(item: ServiceItem, path: string): JsonObject {
  const fields = item.fields(path);
  const at = (name: string) => idIn(fields[name]);
  const labels = namesParameter(
    item.context,
    fields['serverLabels'] === undefined ? `${path}.labels` : `${path}.serverLabels`,
    item.index,
  );
  const components = namesParameter(item.context, `${path}.componentIds`, item.index);
  return {
    ...picked(fields, ['summary', 'description']),
    ...(at('assignee') !== '' && { assignee: person(item, at('assignee')) }),
    ...(at('reporter') !== '' && { reporter: person(item, at('reporter')) }),
    ...(at('priority') !== '' && { priority: named(at('priority'), 'name') }),
    ...(at('issueType') !== '' && { issuetype: named(at('issueType'), 'name') }),
    ...(at('parentIssueKey') !== '' && { parent: { key: at('parentIssueKey').toUpperCase() } }),
    ...(labels.length > 0 && { labels }),
    ...(components.length > 0 && { components: components.map((id) => ({ id })) }),
    ...customFields(item, path),
  };
}

/** An ID, or a key or name, which is not a number. */
export function named(value: string, other: 'key' | 'name'): JsonObject {
  return /^\d+$/.test(value) ? { id: value } : { [other]: value };
}

function picked(fields: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name): [string, JsonValue][] => (fields[name] === undefined ? [] : [[name, fields[name]]])),
  );
}

const person = (item: ServiceItem, id: string): JsonObject => (isCloud(item.access) ? { id } : { name: id });

/** The ID from a resource locator or text. */
function idIn(value: JsonValue | undefined): string {
  const id = locatedValue(value);
  return id === undefined || id === null ? '' : asText(id).trim();
}

function customFields(item: ServiceItem, path: string): JsonObject {
  const entries = item.entries(`${path}.customFieldsUi.customFieldsValues`);
  return Object.fromEntries(entries.map(({ fieldId, fieldValue = null }) => [idIn(fieldId), plainValue(fieldValue)]));
}

/** Options and users are objects, possibly as JSON text. */
function plainValue(value: JsonValue): JsonValue {
  if (typeof value !== 'string' || !value.startsWith('{') || value.length > 100_000) return value;
  try {
    return JSON.parse(value) as JsonValue;
  } catch {
    return value;
  }
}
