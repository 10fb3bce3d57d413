import {
  type ExecuteContext,
  errorMessage,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
} from '@sluice/node-sdk';
import { booleanParameter, textParameter } from '../../shared/parameters.ts';

const maxLength = 20_000_000;

/**
 * Protects recursive readers of the result from a stack overflow; no real document is nested so
 * deeply.
 */
const maxDepth = 500;

/**
 * Converts an XML document to JSON. Its objects have no prototype. Entities that a document
 * declares are not expanded: apart from XML's own five, an entity is an error.
 */
export async function readXml(context: ExecuteContext, text: string, itemIndex: number): Promise<JsonObject> {
  if (text.length > maxLength) throw invalid(`it has more than ${maxLength} characters`, itemIndex);
  const { Parser } = await import('xml2js');
  const flag = (name: string, fallback: boolean) => booleanParameter(context, `options.${name}`, itemIndex, fallback);
  const key = (name: string, fallback: string) => textParameter(context, `options.${name}`, itemIndex, fallback) || fallback;
  const parser = new Parser({
    attrkey: key('attrkey', '$'),
    charkey: key('charkey', '_'),
    explicitArray: flag('explicitArray', false),
    explicitRoot: flag('explicitRoot', true),
    ignoreAttrs: flag('ignoreAttrs', false),
    mergeAttrs: flag('mergeAttrs', true),
    normalize: flag('normalize', false),
    normalizeTags: flag('normalizeTags', false),
    trim: flag('trim', false),
  });
  const parsed: unknown = await parser.parseStringPromise(text).catch((error: unknown) => {
    const [problem = ''] = errorMessage(error).split('\n');
    throw invalid(problem, itemIndex);
  });
  if (!isJsonObject(parsed)) throw invalid('it has no element with content', itemIndex);
  if (isTooDeep(parsed)) throw invalid(`it is nested more than ${maxDepth} elements deep`, itemIndex);
  return parsed;
}

/** Iterative: recursion would overflow the stack for the documents that this rejects. */
function isTooDeep(document: JsonObject): boolean {
  let level: JsonValue[] = [document];
  for (let depth = 0; level.length > 0; depth++) {
    // Elements of the same name add a list to each level.
    if (depth > 2 * maxDepth) return true;
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return false;
}

function invalid(problem: string, itemIndex: number): NodeOperationError {
  return new NodeOperationError(`the XML cannot be read: ${problem}`, {
    itemIndex,
    description: 'Check that the field contains one complete XML document: every tag closed, "&" written as "&amp;"',
  });
}
