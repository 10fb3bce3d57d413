import type { Schemas } from '../../../data/api.ts';

export type Preview = Schemas['ExpressionPreview']['expressions'][number];

/** Evaluates parameters that are expressions. */
type Evaluate = (parameters: Readonly<Record<string, string>>) => Promise<readonly Preview[]>;

interface Batch {
  parameters: Record<string, string>;
  previews: Promise<readonly Preview[]>;
}

const batches = new Map<string, Batch>();

/**
 * Evaluates an expression together with the others of the same key and tick. One request evaluates
 * them all, because each request contains the pinned items of the workflow. Resolves to `undefined`
 * for a text without expressions.
 */
export async function evaluateInBatch(key: string, expression: string, evaluate: Evaluate): Promise<Preview | undefined> {
  const batch = batches.get(key) ?? startBatch(key, evaluate);
  const name = `expression${Object.keys(batch.parameters).length}`;
  batch.parameters[name] = expression;
  const previews = await batch.previews;
  // An expression that exceeds a limit fails all expressions of its request.
  const isRepeated = previews.length > 1 && previews.every(({ error }) => error !== undefined);
  const results = isRepeated ? await evaluate({ [name]: expression }) : previews;
  return results.find(({ path }) => path === name);
}

function startBatch(key: string, evaluate: Evaluate): Batch {
  const parameters: Batch['parameters'] = {};
  const previews = new Promise((resolve) => setTimeout(resolve)).then(() => {
    batches.delete(key);
    return evaluate(parameters);
  });
  const batch = { parameters, previews };
  batches.set(key, batch);
  return batch;
}
