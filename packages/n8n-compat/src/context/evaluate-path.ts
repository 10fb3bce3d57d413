import { NodeOperationError } from '@sluice/node-sdk';

const wholly = /^\s*\{\{([^{}]*)\}\}\s*$/;
const part = /\{\{([^{}]*)\}\}/g;
const path = /^\s*(\$\w+)((?:\??\.\w+|\??\.?\[(?:\d+|"[^"\]]*"|'[^'\]]*')\])*)\s*$/;

/**
 * Evaluates an expression synchronously, which the sandbox cannot do: text with paths such as `{{
 * $json.user["name"] }}`. Throws for anything beyond a path.
 */
export function evaluatePath(expression: string, names: Readonly<Record<string, unknown>>): unknown {
  const text = expression.startsWith('=') ? expression.slice(1) : expression;
  const match = wholly.exec(text);
  if (match) return resolvedPath(match[1] ?? '', names);
  return text.replace(part, (_, inner: string) => {
    const value = resolvedPath(inner, names);
    return value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  });
}

function resolvedPath(text: string, names: Readonly<Record<string, unknown>>): unknown {
  const match = path.exec(text);
  if (!match)
    throw new NodeOperationError('this.evaluateExpression accepts only paths such as {{ $json.name }}', {
      description: 'Expressions of parameters are resolved before the node runs: getNodeParameter gives their values.',
    });
  const keys = [
    match[1] ?? '',
    ...[...(match[2] ?? '').matchAll(/(?<!\w)\w+(?=[.?[\]]|$)|"([^"]*)"|'([^']*)'/g)].map((m) => m[1] ?? m[2] ?? m[0]),
  ];
  return keys.reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as Record<string, unknown>)[key] : undefined,
    names,
  );
}
