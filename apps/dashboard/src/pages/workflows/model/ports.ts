import { isDisplayed, type NodeProperty, withDefaults } from '@sluice/node-sdk/display';
import type { Edge } from '../../../data/edges.ts';
import { latestVersion, outputLabels } from '../../../data/node-type-facts.ts';
import type { NodeType } from '../../../data/node-types.ts';
import { ownValue } from '../../../data/own-value.ts';
import type { GraphNode } from './graph.ts';

interface Port {
  /** Absent if the number is enough. */
  label?: string | undefined;
}

/** Where sub-nodes of one connection type are attached. */
export interface SubPort {
  /** Such as `ai_tool`. */
  type: string;
  label: string;
  /** Whether a required sub-node is missing. */
  required: boolean;
  /** Whether another sub-node may be attached. */
  hasCapacity: boolean;
}

export interface Ports {
  inputs: readonly Port[];
  outputs: readonly Port[];
  subs: readonly SubPort[];
  /** Connection types by which the node serves another one, as its sub-node. */
  supplies: readonly string[];
}

interface UsedPorts {
  inputs: number;
  outputs: number;
  /** Connection type → number of sub-nodes. */
  subs: ReadonlyMap<string, number>;
  supplies: ReadonlySet<string>;
}

const noneUsed: UsedPorts = { inputs: 0, outputs: 0, subs: new Map(), supplies: new Set() };

type Values = Parameters<typeof withDefaults>[1];
type NodeParameters = Readonly<Record<string, unknown>>;

/** Types whose number of branches depends on parameters. */
const outputsByParameters: Readonly<Record<string, (parameters: NodeParameters, version: number) => Port[]>> = {
  'base.switch': switchOutputs,
};

/** The inputs and outputs of a node. Ports with a connection always exist. */
export function portsOf(node: GraphNode, type: NodeType | undefined, used: UsedPorts = noneUsed): Ports {
  const declared = type ?? { inputs: ['main'], outputs: ['main'], version: 1 };
  const name = type?.type ?? node.type;
  const version = node.typeVersion ?? latestVersion(declared);
  const outputs = ownValue(outputsByParameters, name)?.(node.parameters, version) ?? declaredOutputs(name, declared.outputs);
  if (node.onError === 'continueErrorOutput') outputs.push({ label: 'error' });
  const mainInputs = declared.inputs.filter((kind) => kind === 'main').length;
  const inputs = name === 'base.merge' && version >= 3 ? Number(node.parameters['numberInputs'] ?? 2) : mainInputs;
  return {
    inputs: atLeast(
      Array.from({ length: inputs || 0 }, () => ({})),
      used.inputs,
    ),
    outputs: atLeast(outputs, used.outputs),
    subs: subPorts(node, type, version, used.subs),
    supplies: [...new Set([...declared.outputs.filter((kind) => kind !== 'main'), ...used.supplies])],
  };
}

function subPorts(
  { parameters }: GraphNode,
  type: NodeType | undefined,
  typeVersion: number,
  used: UsedPorts['subs'],
): SubPort[] {
  const properties = (type?.properties ?? []) as unknown as NodeProperty[];
  const values = withDefaults(properties, parameters as Values, typeVersion);
  const shown = (type?.subNodes ?? []).filter(({ displayOptions }) =>
    isDisplayed(displayOptions as NodeProperty['displayOptions'], { siblings: values, parameters: values, typeVersion }),
  );
  const declared = shown.map((one) => ({
    type: one.type,
    label: one.displayName ?? nameOfConnection(one.type),
    required: one.required === true && !used.has(one.type),
    hasCapacity: (used.get(one.type) ?? 0) < (one.maxCount ?? Number.POSITIVE_INFINITY),
  }));
  const declaredTypes = new Set(declared.map((port) => port.type));
  const others = [...used.keys()].filter((kind) => !declaredTypes.has(kind));
  return [
    ...declared,
    ...others.map((kind) => ({ type: kind, label: nameOfConnection(kind), required: false, hasCapacity: false })),
  ];
}

/** `ai_languageModel`: Language Model. */
export function nameOfConnection(type: string): string {
  const words = type.replace(/^ai_/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The ports that connections use, by node. */
export function usedPorts(edges: readonly Edge[]): ReadonlyMap<string, UsedPorts> {
  const used = new Map<string, { inputs: number; outputs: number; subs: Map<string, number>; supplies: Set<string> }>();
  const of = (name: string) => {
    const ports = used.get(name) ?? { inputs: 0, outputs: 0, subs: new Map(), supplies: new Set() };
    used.set(name, ports);
    return ports;
  };
  for (const { source, type, output, target, input } of edges) {
    const [from, to] = [of(source), of(target)];
    if (type === 'main') {
      from.outputs = Math.max(from.outputs, output + 1);
      to.inputs = Math.max(to.inputs, input + 1);
    } else {
      from.supplies.add(type);
      to.subs.set(type, (to.subs.get(type) ?? 0) + 1);
    }
  }
  return used;
}

function declaredOutputs(name: string, outputs: readonly string[]): Port[] {
  const labels = outputLabels(name);
  return outputs.filter((kind) => kind === 'main').map((_kind, index) => ({ label: labels[index] }));
}

function atLeast(ports: Port[], count: number): Port[] {
  return [...ports, ...Array.from({ length: Math.max(0, count - ports.length) }, () => ({}))];
}

function switchOutputs(parameters: NodeParameters, version: number): Port[] {
  const { mode = 'rules', outputsAmount, numberOutputs } = parameters;
  if (version < 2) return Array.from({ length: 4 }, () => ({}));
  if (mode === 'expression') return Array.from({ length: Number(numberOutputs ?? outputsAmount ?? 4) || 1 }, () => ({}));
  const groups = Object.values((parameters['rules'] ?? {}) as Record<string, unknown>);
  const rules = (groups.find(Array.isArray) ?? []) as { outputKey?: string }[];
  const { fallbackOutput } = (parameters['options'] ?? {}) as { fallbackOutput?: string };
  const ports = rules.map(({ outputKey }) => ({ label: outputKey || undefined }));
  return fallbackOutput === 'extra' ? [...ports, { label: 'fallback' }] : ports;
}
