import type { CommunityFunction, CommunityNodeType } from '../community-types.ts';
import { Node } from '../workflow-module/versioned-node-type.ts';

/**
 * Calls a package's function with the context as `this`; types that extend `Node` receive it as the
 * first argument.
 */
export function callWithContext(type: CommunityNodeType, call: CommunityFunction | undefined, functions: object): unknown {
  return type instanceof Node ? call?.call(type, functions as never) : call?.call(functions);
}
