import type { JsonObject, JsonValue } from '@sluice/domain';
import type { NodeProperty, NodeTypeDescription } from '../description.ts';
import { isDisplayed } from './display-options.ts';
import type { ParameterReport } from './parameter-report.ts';
import { isBlank } from './written-value.ts';

/** A node's top-level parameters and its type's description. */
export interface NodeParameterValues {
  readonly description: Pick<NodeTypeDescription, 'properties'> & Partial<Pick<NodeTypeDescription, 'version'>>;
  readonly values: JsonObject;
  readonly typeVersion: number;
  /** The parameters described for this version that are visible. */
  readonly shownProperties: readonly NodeProperty[];
}

/** A parameter of all of n8n's declarative types, which its editor writes even without options. */
const requestOptions = 'requestOptions';

const replaceable: ReadonlySet<NodeProperty['type']> = new Set(['fixedCollection', 'filter', 'assignmentCollection']);

/**
 * Reports a top-level parameter that the version does not have. It is invalid if the author
 * evidently meant another parameter that is absent: one with a similar name, or one of another
 * version. Otherwise it is only unknown, because imported workflows often contain leftovers.
 */
export function reportUnknownName(
  name: string,
  of: NodeParameterValues,
  knownNames: readonly string[],
  at: ParameterReport,
): void {
  if (name === requestOptions && isBlank(of.values[name])) return;
  const versions = versionsWith(name, of);
  const near = versions.length === 0 && nearest(name, of);
  if (near) at.misspelled(near);
  else if (isOfOtherShape(name, versions, of)) at.ofVersions(versions, of.typeVersion);
  else at.unknown(knownNames);
}

/** Whether a parameter exists in a version, regardless of the other parameters. */
export function isOfVersion({ displayOptions }: NodeProperty, typeVersion: number): boolean {
  const versions = (conditions: Record<string, readonly JsonValue[]> | undefined) => {
    const wanted = conditions?.['@version'];
    return wanted && { '@version': wanted };
  };
  const [show, hide] = [versions(displayOptions?.show), versions(displayOptions?.hide)];
  // Conditions on other parameters may also determine whether the parameter is hidden.
  const hides = hide && Object.keys(displayOptions?.hide ?? {}).length === 1;
  const scope = { siblings: {}, parameters: {}, typeVersion };
  return isDisplayed({ ...(show && { show }), ...(hides && { hide }) }, scope);
}

function versionsWith(name: string, { description: { properties, version = [] } }: NodeParameterValues): number[] {
  const described = properties.filter((property) => property.name === name);
  return [version].flat().filter((one) => described.some((property) => isOfVersion(property, one)));
}

/**
 * Whether the value of another version's parameter shows that the node was written for that
 * version: this version has other parameters instead, and none of them is set.
 */
function isOfOtherShape(
  name: string,
  versions: readonly number[],
  { description, values, shownProperties }: NodeParameterValues,
): boolean {
  if (versions.length === 0 || isBlank(values[name])) return false;
  const { properties } = description;
  const old = properties.filter((property) => property.name === name);
  const others = properties.filter((property) => versions.some((version) => isOfVersion(property, version)));
  const isNew = (property: NodeProperty) =>
    !others.some((other) => other.name === property.name && other.type === property.type);
  if (old.some((property) => property.default === values[name])) return false;
  const added = shownProperties.filter(isNew);
  const isFilled = (property: NodeProperty) => !isBlank(values[property.name]);
  const containers = added.filter(({ type }) => replaceable.has(type));
  const isContainer = old.some(({ type }) => replaceable.has(type));
  if (isContainer && containers.length > 0) return !containers.some(isFilled);
  return added.length > 0 && !added.some(isFilled);
}

/** The visible parameter that is not set and whose name is closest, if it is close enough. */
function nearest(name: string, { shownProperties, values }: NodeParameterValues): string | undefined {
  const names = shownProperties.map((property) => property.name).filter((other) => !Object.hasOwn(values, other));
  const ranked = names.map((other) => ({ other, distance: nameDistance(name, other) }));
  return ranked.filter(({ distance }) => distance < Number.POSITIVE_INFINITY).sort((a, b) => a.distance - b.distance)[0]?.other;
}

const plain = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '');

/**
 * Edit distance between two names, ignoring case and separators; infinite if they are different
 * names.
 */
function nameDistance(name: string, knownName: string): number {
  // A much longer name cannot match, so it is not read.
  if (name.length > 2 * knownName.length + 2) return Number.POSITIVE_INFINITY;
  const [a, b] = [plain(name), plain(knownName)];
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  const limit = length >= 6 ? 2 : 1;
  const isShort = length < 3 || Math.abs(a.length - b.length) > limit;
  const distance = isShort ? Number.POSITIVE_INFINITY : editDistance(a, b);
  return distance <= limit ? distance : Number.POSITIVE_INFINITY;
}

/** The Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
