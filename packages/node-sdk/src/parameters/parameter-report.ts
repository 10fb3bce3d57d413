import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/domain';
import type { NodeProperty } from '../description.ts';
import type { ParameterProblem } from './check-parameters.ts';

const maxProblems = 20;
const maxListed = 30;
/** Maximum length of a value in a message, in characters. */
const maxShown = 60;
/**
 * Maximum number of visited values per node: the check is synchronous, and users determine how many
 * values there are.
 */
const maxValues = 5_000;

interface Visited {
  values: number;
  /** `undefined` if the parameters are resolved. */
  readonly containers: Set<string> | undefined;
}

/** Collects problems of parameters, each at the current path of the report. */
export class ParameterReport {
  readonly problems: ParameterProblem[];
  readonly #path: string;
  readonly #visited: Visited;

  constructor(path = '', problems: ParameterProblem[] = [], visited: Visited = { values: 0, containers: new Set() }) {
    this.#path = path;
    this.problems = problems;
    this.#visited = visited;
  }

  /** A report on expression results, in which no string is an expression. */
  static ofResolved(): ParameterReport {
    return new ParameterReport('', [], { values: 0, containers: undefined });
  }

  /** Names of the top-level parameters in which expressions replace objects or lists. */
  get containers(): ReadonlySet<string> {
    return this.#visited.containers ?? new Set();
  }

  /** Whether the limit of problems or values was reached, so the rest is not checked. */
  get isFull(): boolean {
    return this.problems.length >= maxProblems || this.#visited.values >= maxValues;
  }

  /** A report for a member that shares the problems. */
  at(member: string | number): ParameterReport {
    this.#visited.values += 1;
    const path = this.#path === '' ? String(member) : `${this.#path}.${member}`;
    return new ParameterReport(path, this.problems, this.#visited);
  }

  /** Runs `check` with a report for each of the members, until the report is full. */
  each<Member extends string | number>(
    members: Iterable<Member>,
    check: (inner: ParameterReport, member: Member) => void,
  ): void {
    for (const member of members) {
      if (this.isFull) return;
      check(this.at(member), member);
    }
  }

  /** A report at the same path whose problems are added only if they are adopted. */
  trial(): ParameterReport {
    return new ParameterReport(this.#path, [], this.#visited);
  }

  /** The same problems as doubtful, because the node decides. */
  asDoubts(): ParameterReport {
    const problems = this.problems.map((problem) => ({ ...problem, kind: 'doubtful' as const }));
    return new ParameterReport(this.#path, problems, this.#visited);
  }

  adopt(trial: ParameterReport): void {
    this.problems.push(...trial.problems.slice(0, maxProblems - this.problems.length));
  }

  /** An expression that must return an object or a list; its result is checked once it is known. */
  returnsContainer(expression: JsonValue): void {
    const { containers } = this.#visited;
    if (containers) containers.add(this.#path.split('.', 1)[0] ?? '');
    else this.expected('an object', expression);
  }

  unknown(knownNames: readonly string[]): void {
    this.#add('unknown', `there is no parameter "${this.#path}", so it has no effect${listed('; known', knownNames)}`);
  }

  /** A parameter that is hidden until conditions are met. */
  unused(conditions: readonly string[]): void {
    this.#add('unused', `the parameter "${this.#path}" is used only if ${conditions.join(' and ')}`);
  }

  /** A name that is similar to the name of an absent parameter. */
  misspelled(near: string): void {
    this.#add('invalid', `there is no parameter "${this.#path}"; did you mean "${near}"?`);
  }

  /** A parameter of other versions, used in place of this version's parameters. */
  ofVersions(versions: readonly number[], typeVersion: number): void {
    const those = versions.length > 1 ? `versions ${versions.join(', ')}` : `version ${versions[0]}`;
    this.#add('invalid', `version ${typeVersion} of the node has no parameter "${this.#path}"; it belongs to ${those}`);
  }

  expected(kind: string, value: JsonValue): void {
    this.#add('invalid', `the parameter "${this.#path}" must be ${kind}, but is ${describe(value)}`);
  }

  /** Same as `expected`, but the node may be able to read the value. */
  doubts(kind: string, value: JsonValue): void {
    this.#add('doubtful', `the parameter "${this.#path}" must be ${kind}, but is ${describe(value)}`);
  }

  hasNoEntries(consequence: string): void {
    this.#add('doubtful', `the parameter "${this.#path}" is empty: ${consequence}`);
  }

  /** An operation that does not exist for its condition's type. */
  neverMet(operation: string, allowed: readonly JsonValue[]): void {
    const reason = 'an operation that the condition type does not support, so no item meets it';
    this.#add('doubtful', `the parameter "${this.#path}" is ${describe(operation)}, ${reason}${listed('; allowed', allowed)}`);
  }

  missing(): void {
    this.#add('doubtful', `the parameter "${this.#path}" is required, but is empty`);
  }

  notAllowed(value: JsonValue, allowed: readonly JsonValue[]): void {
    this.#add('invalid', `the parameter "${this.#path}" has the value ${describe(value)}${listed('; allowed', allowed)}`);
  }

  notAMember(knownNames: readonly string[]): void {
    this.#add('invalid', `the parameter "${this.#path}" does not exist${listed('; allowed', knownNames)}`);
  }

  /**
   * Reports an entry that has members, but none of its group's members: all values of the group
   * would be defaults.
   */
  refuseStrangers(entry: JsonObject, values: readonly NodeProperty[]): void {
    const names = new Set(values.map(({ name }) => name));
    const members = Object.keys(entry);
    if (members.length === 0 || members.some((name) => names.has(name))) return;
    this.#add('invalid', `the parameter "${this.#path}" has none of its members${listed('; allowed', [...names])}`);
  }

  #add(kind: ParameterProblem['kind'], message: string): void {
    if (this.problems.length < maxProblems) this.problems.push({ kind, path: this.#path, message });
  }
}

function listed(intro: string, values: readonly JsonValue[]): string {
  if (values.length === 0) return '';
  const more = values.length > maxListed ? ', …' : '';
  return `${intro}: ${values.slice(0, maxListed).map(String).join(', ')}${more}`;
}

function describe(value: JsonValue): string {
  if (Array.isArray(value)) return 'a list';
  if (isJsonObject(value)) return 'an object';
  // A string may have millions of characters.
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, maxShown) : value);
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}
