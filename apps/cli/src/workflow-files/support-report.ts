import { type Connections, isJsonObject, type WorkflowNode } from '@sluice/domain';
import type { ParameterProblem, SubNodeProblem, UnsupportedUse } from '@sluice/node-sdk';
import { quoted } from './warnings.ts';

/** A node type version, credential type, or parameter that this build does not support. */
export interface MissingType {
  /** With its version if other versions exist: `n8n-nodes-base.set 9`. */
  name: string;
  workflows: number;
  nodes: number;
}

/** How many workflows of a set this build can run. */
export interface SupportReport {
  files: { read: number; parsed: number };
  /** In the parsed files. */
  workflows: number;
  /** Workflows that the API would accept. */
  importable: number;
  /** Workflows whose nodes all have a known type and version, and only supported features. */
  supported: number;
  /**
   * Workflows whose nodes all have an available type and version, but some nodes use unsupported
   * features or have invalid parameters.
   */
  partlySupported: number;
  /** Sorted by frequency, the most frequent first, like the lists below. */
  missingNodeTypes: MissingType[];
  /** Type and parameter: `n8n-nodes-base.code language`. */
  unsupportedParameters: MissingType[];
  /** Type and parameter with a value that fails at run time: `n8n-nodes-base.if conditions`. */
  invalidParameters: MissingType[];
  missingCredentialTypes: MissingType[];
}

export interface KnownTypes {
  /** `undefined` if the type is unknown. */
  nodeVersions(type: string): readonly number[] | undefined;
  /** Parameters that the type does not support; empty for unknown types. */
  unsupportedUses(node: WorkflowNode): readonly UnsupportedUse[];
  /** Parameters that do not match the type; empty for unknown types. */
  parameterProblems(node: WorkflowNode): readonly ParameterProblem[];
  /** Wrong or missing connections of sub-nodes. */
  subNodeProblems(graph: { nodes: readonly WorkflowNode[]; connections: Connections }): readonly SubNodeProblem[];
  hasCredentialType(name: string): boolean;
}

/** Counts workflows one at a time, without keeping them in memory. */
export class SupportCounter {
  readonly #known: KnownTypes;
  readonly #nodeTypes = new Map<string, MissingType>();
  readonly #parameters = new Map<string, MissingType>();
  readonly #invalid = new Map<string, MissingType>();
  readonly #credentialTypes = new Map<string, MissingType>();
  readonly #files = { read: 0, parsed: 0 };
  #workflows = 0;
  #importable = 0;
  #supported = 0;
  #partlySupported = 0;

  constructor(knownTypes: KnownTypes) {
    this.#known = knownTypes;
  }

  /** @param documents number of workflows in the file; `undefined` if it could not be parsed. */
  fileRead(documents?: number): void {
    this.#files.read += 1;
    if (documents === undefined) return;
    this.#files.parsed += 1;
    this.#workflows += documents;
  }

  /**
   * Counts an importable workflow. Returns a warning for each parameter that is unsupported,
   * invalid, or unknown, and for each wrong or missing connection of a sub-node.
   */
  importable(nodes: readonly WorkflowNode[], connections: Connections = {}): string[] {
    this.#importable += 1;
    const missing = nodes.flatMap((node) => this.#missingTypeOf(node) ?? []);
    const credentials = nodes.flatMap((node) => this.#missingCredentialsOf(node));
    const unsupported = nodes.flatMap((node) => this.#known.unsupportedUses(node).map((use) => ({ node, use })));
    const problems = nodes.flatMap((node) => this.#known.parameterProblems(node).map((problem) => ({ node, problem })));
    const invalid = problems.filter(({ problem }) => problem.kind === 'invalid');
    if (missing.length === 0 && unsupported.length + invalid.length > 0) this.#partlySupported += 1;
    else if (missing.length === 0) this.#supported += 1;
    count(this.#nodeTypes, missing);
    count(
      this.#parameters,
      unsupported.map(({ node, use }) => `${node.type} ${use.parameter}`),
    );
    count(
      this.#invalid,
      invalid.map(({ node, problem }) => `${node.type} ${problem.path.replace(/\.\d+(?=\.|$)/g, '')}`),
    );
    count(this.#credentialTypes, credentials);
    return [
      ...unsupported.map(({ node, use }) => unsupportedText(node, use)),
      ...problems.map(({ node, problem }) => `node ${quoted(node.name)}: ${problem.message}`),
      ...this.#known.subNodeProblems({ nodes, connections }).map(({ node, message }) => `node ${quoted(node)}: ${message}`),
    ];
  }

  report(): SupportReport {
    return {
      files: this.#files,
      workflows: this.#workflows,
      importable: this.#importable,
      supported: this.#supported,
      partlySupported: this.#partlySupported,
      missingNodeTypes: byFrequency(this.#nodeTypes),
      unsupportedParameters: byFrequency(this.#parameters),
      invalidParameters: byFrequency(this.#invalid),
      missingCredentialTypes: byFrequency(this.#credentialTypes),
    };
  }

  #missingTypeOf({ type, typeVersion }: WorkflowNode): string | undefined {
    if (isNote(type)) return undefined;
    const versions = this.#known.nodeVersions(type);
    if (versions === undefined) return type;
    return typeVersion === undefined || versions.includes(typeVersion) ? undefined : `${type} ${typeVersion}`;
  }

  #missingCredentialsOf({ credentials }: WorkflowNode): string[] {
    return Object.keys(isJsonObject(credentials) ? credentials : {}).filter((name) => !this.#known.hasCredentialType(name));
  }
}

function unsupportedText({ name }: WorkflowNode, { parameter, what, hint }: UnsupportedUse): string {
  return `node ${quoted(name)}, parameter "${parameter}": ${what} is not supported yet. ${hint}`;
}

/** Sticky notes are for display only; they never run. */
function isNote(type: string): boolean {
  return /\.sticky-?note$/i.test(type);
}

function count(counts: Map<string, MissingType>, names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    const entry = counts.get(name) ?? { name, workflows: 0, nodes: 0 };
    entry.nodes += 1;
    if (!seen.has(name)) entry.workflows += 1;
    seen.add(name);
    counts.set(name, entry);
  }
}

function byFrequency(counts: ReadonlyMap<string, MissingType>): MissingType[] {
  return [...counts.values()].sort((a, b) => b.workflows - a.workflows || b.nodes - a.nodes || (a.name < b.name ? -1 : 1));
}
