import type { HostExpression } from '@sluice/expressions';
import type { HostRegex } from './host-regex.ts';
import type { ScopePath } from './parse-path.ts';

/** A call to one of the host's functions, such as `Math.round($json.n)`. */
interface FunctionCall {
  called: string;
  values: readonly ScopeExpression[];
}

/** A call to one of the host's methods, such as `$json.text.trim()`. */
interface MethodCall {
  method: string;
  receiver: ScopeExpression;
  values: readonly ScopeExpression[];
  /**
   * Whether the receiver is a list that is only accessible to this call, so that the method may
   * change it.
   */
  isOwnList: boolean;
}

/**
 * A member of anything but a path, or a member whose name is computed: `$json.text.split(",")[0]`,
 * `$json.list[$itemIndex]`.
 */
interface MemberRead {
  holder: ScopeExpression;
  key: ScopeExpression;
  /** Whether the member of undefined or null is undefined. */
  isOptional: boolean;
}

/** `$now` or `$today`. */
interface DateRead {
  date: 'now' | 'today';
}

/** `$fromAI(name, description, type, default)`. */
interface ToolArgument {
  toolArgument: readonly ScopeExpression[];
}

/** `new Date(…)`. */
interface NewDate {
  newDate: readonly ScopeExpression[];
}

/** The value of a variable: a parameter of a function of the source, or a constant in it. */
interface VariableRead {
  local: number;
}

/** A function of the source. Its parameters have the slots from `slot` on. */
export interface LocalFunction {
  slot: number;
  parameters: number;
  body: ScopeExpression;
}

/** `list.map((element, index) => body)`. */
interface CallbackCall {
  each: string;
  receiver: ScopeExpression;
  callback: LocalFunction;
}

/** An expression in which the variables from `slot` on have the values. */
interface WithVariables {
  values: readonly ScopeExpression[];
  slot: number;
  body: ScopeExpression;
}

/** `$json.text.match(/a/)` or `/a/.test($json.text)`. */
interface RegexCall {
  regex: HostRegex;
  name: string;
  text: ScopeExpression;
  values: readonly ScopeExpression[];
}

export type ScopeRead =
  | ScopePath
  | FunctionCall
  | MethodCall
  | MemberRead
  | DateRead
  | ToolArgument
  | NewDate
  | VariableRead
  | CallbackCall
  | RegexCall
  | WithVariables;
export type ScopeExpression = HostExpression<ScopeRead>;
