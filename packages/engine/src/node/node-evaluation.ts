import type { JsonValue } from '@sluice/domain';
import type { TextScope } from '@sluice/node-sdk';
import type { CompiledParameters } from '@sluice/sandbox';
import type { ContextParts } from './execution-context.ts';
import type { NodeScope } from './node-scope.ts';

/* Expressions that a node evaluates while it runs, after its parameters were resolved. */

type Parts = Pick<ContextParts, 'execution' | 'task' | 'scope'>;

/** See `ExecuteContext.evaluate`. */
export function evaluateParameter<T extends JsonValue>(
  parts: Parts,
  path: string,
  itemIndex: number,
  names: Record<string, JsonValue>,
): Promise<T | undefined> {
  const { task, scope } = parts;
  return evaluate(parts, task.node.compiledPart(path), scope.forItem(itemIndex, names), { path, itemIndex });
}

/** See `ExecuteContext.evaluateText`. */
export function evaluateText<T extends JsonValue>(
  parts: Parts,
  text: string,
  itemIndex: number,
  { names, parameters }: TextScope,
): Promise<T | undefined> {
  const { task, scope } = parts;
  const itemScope = scope.forItem(itemIndex, names, parameters);
  return evaluate(parts, task.node.compiledText(text), itemScope, { path: 'text', itemIndex });
}

async function evaluate<T extends JsonValue>(
  { execution, scope }: Parts,
  compiled: CompiledParameters,
  itemScope: NodeScope,
  { path, itemIndex }: { path: string; itemIndex: number },
): Promise<T | undefined> {
  const resolved = await execution.ports.sandbox.resolve(compiled, itemScope, execution.request.signal);
  scope.addCustomData(resolved.customData);
  return resolved.get(path, itemIndex) as T | undefined;
}
