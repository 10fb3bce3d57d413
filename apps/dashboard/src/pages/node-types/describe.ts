import type { NodeProperty } from '@sluice/node-sdk/display';
import { choicesOf, groupsOf, membersOf } from '../../data/node-properties.ts';
import examples from './generated/examples.json' with { type: 'json' };

type Conditions = Readonly<Record<string, readonly unknown[]>>;

export interface Parameter {
  name: string;
  label: string;
  type: string;
  required: boolean;
  description?: string;
  /** As JSON; absent if it is empty. */
  initial?: string;
  choices: string[];
  /** When it applies: `mode is append or combine`. */
  conditions: string[];
  parts: Parameter[];
}

/** Parameters of one version of a node type. */
export function parametersOf(properties: readonly object[], version: number): Parameter[] {
  return (properties as readonly NodeProperty[])
    .filter((property) => isOfVersion(property, version))
    .map((p) => toParameter(p, version));
}

/** Conditions other than numbers, which third-party packages may have, exclude no version. */
function isOfVersion({ displayOptions }: NodeProperty, version: number): boolean {
  const { show, hide } = displayOptions ?? {};
  const shown = show?.['@version'] ?? [];
  if (hide?.['@version']?.includes(version)) return false;
  return shown.length === 0 || shown.includes(version) || shown.some((one) => typeof one !== 'number');
}

function toParameter(property: NodeProperty, version: number): Parameter {
  const { name, displayName, type, required = false, description, displayOptions } = property;
  const initial = initialOf(property.default);
  return {
    name,
    label: displayName,
    type,
    required,
    ...(description && { description }),
    ...(initial !== undefined && { initial }),
    choices: type === 'options' || type === 'multiOptions' ? choicesOf(property).map(({ value }) => String(value)) : [],
    conditions: [...texts(displayOptions?.show, 'is'), ...texts(displayOptions?.hide, 'is not')],
    parts: partsOf(property, version),
  };
}

function initialOf(value: unknown): string | undefined {
  const text = JSON.stringify(value);
  return text === undefined || ['""', '{}', '[]', 'null'].includes(text) ? undefined : text;
}

function texts(conditions: Conditions = {}, verb: string): string[] {
  return Object.entries(conditions)
    .filter(([name]) => name !== '@version')
    .map(([name, values]) => `${name} ${verb} ${values.map((value) => textOf(value)).join(' or ')}`);
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : JSON.stringify(value));

function partsOf(property: NodeProperty, version: number): Parameter[] {
  if (property.type === 'collection') return parametersOf(membersOf(property), version);
  if (property.type !== 'fixedCollection') return [];
  return groupsOf(property).map(({ name, displayName, values }) => ({
    name,
    label: displayName,
    type: 'group',
    required: false,
    choices: [],
    conditions: [],
    parts: parametersOf(values, version),
  }));
}

/** A tested example of a built-in type. */
interface Example {
  shows: string;
  /** Default: the newest. */
  typeVersion?: number;
  parameters: object;
}

/** The example of a type, if it has the same version. */
export function exampleOf(type: string, version: number, newest: number | undefined): Example | undefined {
  const example = (examples as Record<string, Example>)[type];
  return (example?.typeVersion ?? newest) === version ? example : undefined;
}

/** A node with the initial values of its parameters, to be pasted into `nodes` of a workflow. */
export function nodeSkeleton(
  type: string,
  name: string,
  { properties, version, example }: { properties: readonly object[]; version: number; example?: Example | undefined },
) {
  const initialized = (properties as readonly NodeProperty[]).filter(
    (property) => isOfVersion(property, version) && !property.displayOptions && initialOf(property.default) !== undefined,
  );
  const parameters =
    example?.parameters ?? Object.fromEntries(initialized.map((property) => [property.name, property.default]));
  return JSON.stringify({ name, type, typeVersion: version, position: [0, 0], parameters }, null, 2);
}
