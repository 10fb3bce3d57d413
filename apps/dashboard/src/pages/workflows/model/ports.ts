import type { NodeType } from '../../../data/workflows.ts';
import type { GraphNode } from './graph.ts';

interface Port {
  /** Absent if the number says enough. */
  label?: string;
}

export interface Ports {
  inputs: readonly Port[];
  outputs: readonly Port[];
}

/** Types whose branches have names. */
const outputLabels: Readonly<Record<string, readonly string[]>> = {
  'base.if': ['true', 'false'],
  'base.filter': ['kept'],
  'base.split-in-batches': ['done', 'loop'],
  'base.compare-datasets': ['only A', 'same', 'different', 'only B'],
};

type Parameters = Readonly<Record<string, unknown>>;

/** Types whose number of branches depends on parameters. */
const outputsByParameters: Readonly<Record<string, (parameters: Parameters, version: number) => Port[]>> = {
  'base.switch': switchOutputs,
};

/** The `main` inputs and outputs of a node. Ports with a connection always exist. */
export function portsOf(node: GraphNode, type: NodeType | undefined, used = { inputs: 0, outputs: 0 }): Ports {
  const declared = type ?? { inputs: ['main'], outputs: ['main'], version: 1 };
  const name = type?.type ?? node.type;
  const version = node.typeVersion ?? latestVersion(declared);
  const outputs = outputsByParameters[name]?.(node.parameters, version) ?? declaredOutputs(name, declared.outputs);
  if (node.onError === 'continueErrorOutput') outputs.push({ label: 'error' });
  const inputs = name === 'base.merge' && version >= 3 ? Number(node.parameters['numberInputs'] ?? 2) : declared.inputs.length;
  return {
    inputs: atLeast(
      Array.from({ length: inputs || 0 }, () => ({})),
      used.inputs,
    ),
    outputs: atLeast(outputs, used.outputs),
  };
}

function declaredOutputs(name: string, outputs: readonly string[]): Port[] {
  const labels = outputLabels[name] ?? [];
  return outputs.filter((kind) => kind === 'main').map((_kind, index) => ({ label: labels[index] }));
}

function atLeast(ports: Port[], count: number): Port[] {
  return [...ports, ...Array.from({ length: Math.max(0, count - ports.length) }, () => ({}))];
}

function switchOutputs(parameters: Parameters, version: number): Port[] {
  const { mode = 'rules', outputsAmount, numberOutputs } = parameters;
  if (version < 2) return Array.from({ length: 4 }, () => ({}));
  if (mode === 'expression') return Array.from({ length: Number(numberOutputs ?? outputsAmount ?? 4) || 1 }, () => ({}));
  const groups = Object.values((parameters['rules'] ?? {}) as Record<string, unknown>);
  const rules = (groups.find(Array.isArray) ?? []) as { outputKey?: string }[];
  const { fallbackOutput } = (parameters['options'] ?? {}) as { fallbackOutput?: string };
  const ports = rules.map(({ outputKey }) => ({ label: outputKey || undefined }));
  return fallbackOutput === 'extra' ? [...ports, { label: 'fallback' }] : ports;
}

export function latestVersion({ version }: Pick<NodeType, 'version'>): number {
  return Math.max(...[version as number | number[]].flat());
}

export function isTrigger({ group }: Pick<NodeType, 'group'>): boolean {
  return group.includes('trigger');
}
