import { checkGraph, compileValidator, workflowData } from '@sluice/contract';
import type { GraphContent } from '@sluice/db';
import { isJsonObject, type JsonObject, type JsonValue, ValidationError } from '@sluice/domain';

const validate = compileValidator(workflowData);

/**
 * Reads the workflow that a node contains, and checks it by the rules for saved workflows, on which
 * the engine depends. Positions and parameters may be missing, and the name may be longer. Node
 * types and parameters are checked when it runs. Throws `ValidationError`.
 */
export function readWorkflowJson({ name, nodes, connections, settings }: JsonObject, maxNodes: number): GraphContent {
  const graph = validate({
    nodes: Array.isArray(nodes) ? nodes.map(completed) : nodes,
    connections: connections ?? {},
    ...(isJsonObject(settings) && { settings }),
  });
  const issues = checkGraph(graph, { maxNodes });
  if (issues.length > 0) throw new ValidationError('the workflow is not valid', issues);
  return { ...graph, name: typeof name === 'string' ? name : 'sub-workflow' } as GraphContent;
}

function completed(node: JsonValue): JsonValue {
  return isJsonObject(node) ? { position: [0, 0], parameters: {}, ...node } : node;
}
