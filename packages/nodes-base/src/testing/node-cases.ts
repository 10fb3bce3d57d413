import {
  errorMessage,
  type Item,
  isJsonObject,
  type JsonObject,
  type NodeOutput,
  type NodeType,
  type PairedItem,
} from '@sluice/node-sdk';
import { runNode } from './fake-context.ts';

/** Expected behavior of a node for given items, in the versions that share it. */
export interface NodeCase {
  /** The guarantee. */
  name: string;
  /** Absent: all versions. */
  versions?: readonly number[];
  parameters: JsonObject;
  /** Items of each input: their JSON, or whole items. */
  inputs: readonly (readonly (JsonObject | Item)[])[];
  /** JSON of each output's items, without trailing empty outputs. */
  outputs?: readonly (readonly unknown[])[];
  /** Sources of the items in output 0, as `input:item`, joined by a comma. */
  pairs?: readonly string[];
  /** Part of the error message, instead of `outputs`. */
  error?: string;
}

type Expected = Pick<NodeCase, 'outputs' | 'pairs' | 'error'>;

/** The part of a case that a run must equal. */
export function expectedOf({ outputs, pairs, error }: NodeCase): Expected {
  return { ...(outputs && { outputs }), ...(pairs && { pairs }), ...(error !== undefined && { error }) };
}

/**
 * Runs a case in one version. The result has the members that the case expects; an error has its
 * whole message if it differs.
 */
export async function runCase(type: NodeType, nodeCase: NodeCase, typeVersion: number): Promise<Expected> {
  const { parameters, inputs, outputs, pairs, error } = nodeCase;
  try {
    const output = await runNode(type, { parameters, typeVersion, inputs: inputs.map((items) => items.map(asItem)) });
    if (error !== undefined) return { outputs: jsonOf(output) };
    return { ...(outputs && { outputs: jsonOf(output) }), ...(pairs && { pairs: (output[0] ?? []).map(pairsOf) }) };
  } catch (failure) {
    const message = errorMessage(failure);
    return { error: error !== undefined && message.includes(error) ? error : message };
  }
}

/** Each case in each of its versions, for `test.each`. */
export function inVersions(type: NodeType, cases: readonly NodeCase[]): [string, NodeCase, number][] {
  const all = [type.description.version].flat();
  return cases.flatMap((nodeCase) =>
    (nodeCase.versions ?? all).map((version): [string, NodeCase, number] => [
      `${version}: ${nodeCase.name}`,
      nodeCase,
      version,
    ]),
  );
}

function asItem(source: JsonObject | Item): Item {
  return isJsonObject(source['json']) ? (source as Item) : { json: source as JsonObject };
}

function jsonOf(output: NodeOutput): unknown[][] {
  const outputs = output.map((items) => (items ?? []).map(({ json }) => JSON.parse(JSON.stringify(json)) as unknown));
  while (outputs.length > 0 && outputs.at(-1)?.length === 0) outputs.pop();
  return outputs;
}

function pairsOf({ pairedItem }: Item): string {
  const pairs = [pairedItem ?? []].flat().map((pair): PairedItem => (typeof pair === 'number' ? { item: pair } : pair));
  return pairs.map(({ item, input = 0 }) => `${input}:${item}`).join(',');
}
