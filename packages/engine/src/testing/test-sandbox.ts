import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '@sluice/domain';
import type {
  CodeRunRequest,
  CodeRunResult,
  CompiledParameters,
  EvaluationScope,
  ResolvedParameters,
  Sandbox,
} from '@sluice/sandbox';

interface TestParameters extends CompiledParameters {
  readonly tree: JsonObject;
}

const expression = /^=\{\{\s*(?:\$json|\$\("([^"]+)"\)\.item\.json)\.([\w.]+)\s*\}\}$/;

/**
 * Resolves literals, `={{ $json.a.b }}`, and `={{ $("Node").item.json.a }}` in memory. Counts
 * compiled sources.
 */
export class TestSandbox implements Sandbox {
  readonly waiting = 0;
  compiledCount = 0;
  runCodeWith: (request: CodeRunRequest) => Promise<CodeRunResult> = async ({ scope }) => ({
    items: [...scope.items],
    logs: [],
  });

  compile(tree: JsonObject): TestParameters {
    this.compiledCount++;
    return { dynamic: JSON.stringify(tree).includes('={{'), tree };
  }

  resolve(compiled: CompiledParameters, scope: EvaluationScope): ResolvedParameters {
    const { tree } = compiled as TestParameters;
    return { get: (path, itemIndex) => resolved(read(tree, path), scope, itemIndex) };
  }

  runCode(request: CodeRunRequest): Promise<CodeRunResult> {
    return this.runCodeWith(request);
  }

  async close(): Promise<void> {}
}

function read(tree: JsonValue | undefined, path: string): JsonValue | undefined {
  let value = tree;
  for (const key of path === '' ? [] : path.split('.')) value = isJsonObject(value) ? ownProperty(value, key) : undefined;
  return value;
}

function resolved(value: JsonValue | undefined, scope: EvaluationScope, itemIndex: number): JsonValue | undefined {
  const match = typeof value === 'string' ? expression.exec(value) : null;
  if (!match) return value;
  const [, nodeName, path = ''] = match;
  if (nodeName === undefined) return read(scope.items[itemIndex]?.json, path);
  const paired = scope.pairedItem(nodeName, itemIndex);
  if ('error' in paired) throw new Error(paired.error);
  return read(paired.item?.json, path);
}
